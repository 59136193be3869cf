// One shelf: bars, then the path's stretches over them, then names where there is room.
import { shortName } from '../../format';
import { columns, visible, type Bars } from './spans';
import { shelfY, type Row } from './layout';
import { redIn } from './lanes';
import { DIM, FULL, levelOf, type Ink } from './raster';
import { perNs, type State } from './state';

export interface Label { bar: number; shelf: number; x0: number; x1: number; y: number; height: number }

function greyOf(s: State, row: Row): Ink {
  return s.ink[row.lane.kind === 'stream' ? '--mute' : row.lane.kind === 'annotation' ? '--mute3' : '--mute2']!;
}

const coloured = (s: State, row: Row): boolean => s.byClass || row.lane.kind === 'path';

// In pixels of the device, from the gutter on.
function eachColumn(s: State, bars: Bars, shelf: number, put: (x0: number, x1: number, i: number, j: number) => void): void {
  const [from, past] = visible(bars, shelf, s.view.t0, s.view.t1);
  columns(bars, from, past, s.view.t0, perNs(s) * s.ratio, put);
}

function rasterBars(s: State, row: Row, shelf: number, labels: Label[]): void {
  const { bars, look, cls } = s.lanes, g = s.layout.gutter, grey = greyOf(s, row), y = shelfY(row, shelf), byClass = coloured(s, row);
  const hits = s.search?.hits, ns = 1 / (perNs(s) * s.ratio), link = s.ink['--link']!, gap = 3 * s.ratio;
  eachColumn(s, bars, shelf, (x0, x1, i, j) => {
    const hit = hits !== undefined && hits[j]! > hits[i]!, wide = x1 - x0;
    const ink = hit ? link : byClass ? s.ink[look[cls[j === i + 1 ? i : s.longest.of(i, j)]!]!.colour]! : grey;
    const level = hits && !hit ? DIM : wide > 1 ? FULL : levelOf((bars.sum[j]! - bars.sum[i]!) / ns);
    s.raster.put(shelf, x0, wide > gap ? x1 - 1 : x1, ink[level]!);
    const a = Math.max(0, x0 / s.ratio), b = Math.min(s.width - g, x1 / s.ratio);
    if (b - a > 34 && row.height >= 12) labels.push({ bar: i, shelf, x0: g + a, x1: g + b, y, height: row.height });
  });
}

function rasterRed(s: State, shelf: number, at: number): void {
  const { red } = s.lanes, ink = s.ink['--path']!, ns = 1 / (perNs(s) * s.ratio);
  eachColumn(s, red, shelf, (x0, x1, i, j) =>
    s.raster.put(at, x0, x1, ink[s.search ? 0 : x1 - x0 > 1 ? FULL : levelOf((red.sum[j]! - red.sum[i]!) / ns)]!));
}

// The path's own lane is red below all of it; time nobody recorded is hatched.
function paintPathLine(c: CanvasRenderingContext2D, s: State, row: Row): void {
  c.fillStyle = s.colour['--path']!;
  c.fillRect(s.layout.gutter, row.y + row.height - 4, s.width - s.layout.gutter, 3);
  c.strokeStyle = s.colour['--hatch']!;
  c.lineWidth = 1;
  c.beginPath();
  eachColumn(s, s.lanes.bars, row.lane.shelf, (left, right, i) => {
    const x0 = Math.max(0, left / s.ratio), x1 = Math.min(s.width, right / s.ratio);
    if (x1 - x0 < 6 || !s.lanes.look[s.lanes.cls[i]!]!.hatched) return;
    for (let x = Math.ceil(x0 / 6) * 6; x < x1 - 6; x += 6) {
      c.moveTo(s.layout.gutter + x, row.y + row.height - 4);
      c.lineTo(s.layout.gutter + x + 6, row.y);
    }
  });
  c.stroke();
}

const DARK = new Set(['compute', 'communication', 'memory', 'cpu_op', 'launch_api']);

function inkOfLabel(s: State, row: Row, l: Label): string {
  const t = s.view.t0 + (l.x0 + 10 - s.layout.gutter) / perNs(s), on = s.colour['--onpath']!, ink = s.colour['--ink']!;
  if (s.search) return s.search.hits[l.bar + 1]! > s.search.hits[l.bar]! ? on : s.colour['--ink2']!;
  if (coloured(s, row)) return DARK.has(s.lanes.classes[s.lanes.cls[l.bar]!]!) ? on : ink;
  return redIn(s.lanes, l.shelf, t, t + 30 / perNs(s)) ? on : ink;
}

function paintLabels(c: CanvasRenderingContext2D, s: State, row: Row, labels: Label[]): void {
  for (const l of labels) {
    const most = Math.floor((l.x1 - l.x0 - 7) / 6.1), id = s.lanes.name[l.bar]!;
    if (most < 3 || id < 0) continue;
    const text = shortName(s.lanes.names[id]!.slice(0, 400));
    c.fillStyle = inkOfLabel(s, row, l);
    c.fillText(text.length > most ? `${text.slice(0, most - 1)}…` : text, l.x0 + 4, l.y + l.height / 2);
  }
}

const shelvesOf = (row: Row): number[] => Array.from({ length: row.lane.depth }, (_, k) => row.lane.shelf + k);

// Red fills what runs; where the row only describes, or classes have the colour, it is a line.
function paintShelf(c: CanvasRenderingContext2D, s: State, row: Row, shelf: number): void {
  const g = s.layout.gutter, y = shelfY(row, shelf), height = row.height - (row.height > 4 ? 1 : 0), red = coloured(s, row) ? Math.min(3, height) : height;
  s.raster.draw(c, shelf, g, y, s.width - g, height);
  if (row.lane.kind !== 'path') s.raster.draw(c, s.lanes.laneOf.length + shelf, g, y + height - red, s.width - g, red);
}

export function paintRows(c: CanvasRenderingContext2D, s: State): void {
  const n = s.lanes.laneOf.length, labels = s.layout.rows.map((): Label[] => []);
  s.raster.begin(Math.max(1, Math.round((s.width - s.layout.gutter) * s.ratio)), 2 * n);
  s.layout.rows.forEach((row, k) => {
    for (const shelf of shelvesOf(row)) {
      rasterBars(s, row, shelf, labels[k]!);
      if (row.lane.kind !== 'path') rasterRed(s, shelf, n + shelf);
    }
  });
  s.raster.end();
  c.imageSmoothingEnabled = false;
  s.layout.rows.forEach((row, k) => {
    for (const shelf of shelvesOf(row)) paintShelf(c, s, row, shelf);
    if (row.lane.kind === 'path') paintPathLine(c, s, row);
    paintLabels(c, s, row, labels[k]!);
  });
}
