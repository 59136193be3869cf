// One shelf: bars, then the path's stretches over them, then names where there is room.
import { shortName } from '../../format';
import { columns, visible } from './spans';
import { shelfY, type Row } from './layout';
import { redIn } from './lanes';
import { perNs, type State } from './state';

interface Run { fill: string; alpha: number; x0: number; x1: number }

// Neighbouring columns that look the same are one rectangle: fewer calls, and no seams.
class Brush {
  private run: Run = { fill: '', alpha: 1, x0: 0, x1: 0 };
  private readonly c: CanvasRenderingContext2D; private readonly y: number; private readonly height: number;

  constructor(c: CanvasRenderingContext2D, y: number, height: number) {
    this.c = c;
    this.y = y;
    this.height = height;
  }
  put(x0: number, x1: number, fill: string, alpha: number): void {
    const r = this.run;
    if (r.fill === fill && r.alpha === alpha && x0 <= r.x1 + 0.01) {
      r.x1 = Math.max(x1, r.x1);
      return;
    }
    this.flush();
    this.run = { fill, alpha, x0, x1 };
  }
  flush(): void {
    const r = this.run;
    if (!r.fill) return;
    this.c.globalAlpha = r.alpha;
    this.c.fillStyle = r.fill;
    this.c.fillRect(r.x0, this.y, r.x1 - r.x0, this.height);
    r.fill = '';
  }
}

export interface Label { bar: number; shelf: number; x0: number; x1: number; y: number; height: number }

// How full a column is, in steps, so that equal ones are drawn together.
const fullness = (busy: number, ns: number): number => 0.4 + 0.6 * Math.ceil(Math.min(1, busy / ns) * 4) / 4;

function greyOf(s: State, row: Row): string {
  return s.colour[row.lane.kind === 'stream' ? '--mute' : row.lane.kind === 'annotation' ? '--mute3' : '--mute2']!;
}

function fillOf(s: State, row: Row, grey: string, bar: number): string {
  return s.byClass || row.lane.kind === 'path' ? s.colour[s.lanes.look[s.lanes.cls[bar]!]!.colour]! : grey;
}

function paintBars(c: CanvasRenderingContext2D, s: State, row: Row, shelf: number, labels: Label[]): void {
  const { bars } = s.lanes, k = perNs(s), g = s.layout.gutter, y = shelfY(row, shelf), grey = greyOf(s, row);
  const brush = new Brush(c, y, row.height - (row.height > 4 ? 1 : 0)), hits = s.search?.hits, needsClass = s.byClass || row.lane.kind === 'path';
  const [from, past] = visible(bars, shelf, s.view.t0, s.view.t1);
  columns(bars, from, past, s.view.t0, k, (x0, x1, i, j) => {
    const a = Math.max(g, g + x0), b = Math.min(s.width, g + x1), one = j === i + 1;
    const fill = hits && hits[j]! > hits[i]! ? s.colour['--link']! : fillOf(s, row, grey, one || !needsClass ? i : s.longest.of(i, j));
    const alpha = hits && hits[j] === hits[i] ? 0.25 : x1 - x0 > 1 ? 1 : fullness(bars.sum[j]! - bars.sum[i]!, 1 / k);
    brush.put(a, b - (b - a > 3 ? 0.5 : 0), fill, alpha);
    if (b - a > 34 && row.height >= 12) labels.push({ bar: i, shelf, x0: a, x1: b, y, height: row.height });
  });
  brush.flush();
}

// Red fills what runs; where the row only describes, or classes have the colour, it is a line.
function paintRed(c: CanvasRenderingContext2D, s: State, row: Row, shelf: number): void {
  const { red } = s.lanes, k = perNs(s), g = s.layout.gutter, y = shelfY(row, shelf);
  const [from, past] = visible(red, shelf, s.view.t0, s.view.t1), line = s.byClass || row.lane.kind === 'path';
  const height = line ? Math.min(3, row.height / 2) : row.height - (row.height > 4 ? 1 : 0);
  const brush = new Brush(c, line ? y + row.height - (row.height > 4 ? 1 : 0) - height : y, height);
  columns(red, from, past, s.view.t0, k, (x0, x1, i, j) => {
    const dim = s.search ? 0.35 : 1;
    brush.put(Math.max(g, g + x0), Math.min(s.width, g + x1), s.colour['--path']!, dim * (x1 - x0 > 1 ? 1 : fullness(red.sum[j]! - red.sum[i]!, 1 / k)));
  });
  brush.flush();
}

// The path's own lane is red below all of it; time nobody recorded is hatched.
function paintPathLine(c: CanvasRenderingContext2D, s: State, row: Row): void {
  c.globalAlpha = 1;
  c.fillStyle = s.colour['--path']!;
  c.fillRect(s.layout.gutter, row.y + row.height - 4, s.width - s.layout.gutter, 3);
  const [from, past] = visible(s.lanes.bars, row.lane.shelf, s.view.t0, s.view.t1);
  c.strokeStyle = s.colour['--hatch']!;
  c.lineWidth = 1;
  c.beginPath();
  columns(s.lanes.bars, from, past, s.view.t0, perNs(s), (x0, x1, i) => {
    if (x1 - x0 < 6 || !s.lanes.look[s.lanes.cls[i]!]!.hatched) return;
    for (let x = Math.max(0, x0) - Math.max(0, x0) % 6; x < Math.min(x1, s.width) - 6; x += 6)
      if (x >= x0) {
        c.moveTo(s.layout.gutter + x, row.y + row.height - 4);
        c.lineTo(s.layout.gutter + x + 6, row.y);
      }
  });
  c.stroke();
}

function inkOf(s: State, row: Row, l: Label): string {
  const t = s.view.t0 + (l.x0 + 10 - s.layout.gutter) / perNs(s), cls = s.lanes.classes[s.lanes.cls[l.bar]!]!;
  if (s.search) return s.search.hits[l.bar + 1]! > s.search.hits[l.bar]! ? s.colour['--onpath']! : s.colour['--ink2']!;
  if (s.byClass || row.lane.kind === 'path') return ['compute', 'communication', 'memory', 'cpu_op', 'launch_api'].includes(cls) ? s.colour['--onpath']! : s.colour['--ink']!;
  return redIn(s.lanes, l.shelf, t, t + 30 / perNs(s)) ? s.colour['--onpath']! : s.colour['--ink']!;
}

function paintLabels(c: CanvasRenderingContext2D, s: State, row: Row, labels: Label[]): void {
  c.globalAlpha = 1;
  for (const l of labels) {
    const most = Math.floor((l.x1 - l.x0 - 7) / 6.1), id = s.lanes.name[l.bar]!;
    if (most < 3 || id < 0) continue;
    const text = shortName(s.lanes.names[id]!.slice(0, 400));
    c.fillStyle = inkOf(s, row, l);
    c.fillText(text.length > most ? `${text.slice(0, most - 1)}…` : text, l.x0 + 4, l.y + l.height / 2);
  }
}

export function paintRow(c: CanvasRenderingContext2D, s: State, row: Row): void {
  for (let shelf = row.lane.shelf; shelf < row.lane.shelf + row.lane.depth; shelf++) {
    const labels: Label[] = [];
    paintBars(c, s, row, shelf, labels);
    if (row.lane.kind === 'path') paintPathLine(c, s, row);
    else paintRed(c, s, row, shelf);
    paintLabels(c, s, row, labels);
  }
}
