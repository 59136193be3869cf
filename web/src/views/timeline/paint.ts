// The whole canvas: axis, lanes, what is selected, names of lanes.
import { duration } from '../../format';
import { AXIS, shelfY, type Row } from './layout';
import { shelfOf } from './lanes';
import { paintRows } from './paint_bars';
import { xAt, type State } from './state';
import { step, ticks, tickText } from './ticks';

export const FONT = '11px Inter,system-ui,sans-serif';

export function sizeCanvas(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const ratio = window.devicePixelRatio || 1, c = canvas.getContext('2d', { alpha: false })!;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.setProperty('height', `${height}px`);
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  return c;
}

function paintAxis(c: CanvasRenderingContext2D, s: State): void {
  const most = (s.width - s.layout.gutter) / 110, by = step(s.view.span, most);
  c.strokeStyle = s.colour['--rule']!;
  c.fillStyle = s.colour['--ink2']!;
  c.lineWidth = 1;
  c.beginPath();
  for (const t of ticks(s.view.t0, s.view.t1, most)) {
    const x = Math.round(xAt(s, t)) + 0.5;
    c.moveTo(x, AXIS - 4);
    c.lineTo(x, s.layout.height);
    if (x < s.width - 52) c.fillText(tickText(t, by), x + 3, 10);
  }
  c.stroke();
}

export function rowOfBar(s: State, bar: number): { row: Row; shelf: number } | null {
  const shelf = shelfOf(s.lanes, bar), lane = s.lanes.lane[s.lanes.laneOf[shelf]!], row = s.layout.rows.find(r => r.lane === lane);
  return row ? { row, shelf } : null;
}

function outline(c: CanvasRenderingContext2D, s: State, bar: number, colour: string): void {
  const place = bar >= 0 ? rowOfBar(s, bar) : null;
  if (!place) return;
  const x0 = xAt(s, s.lanes.bars.start[bar]!), x1 = xAt(s, s.lanes.bars.end[bar]!);
  c.strokeStyle = colour;
  c.lineWidth = 2;
  c.strokeRect(Math.max(s.layout.gutter - 4, x0 - 1), shelfY(place.row, place.shelf) - 1, Math.max(Math.min(x1, s.width + 4) - Math.max(x0, s.layout.gutter - 4), 1) + 2, place.row.height + 1);
}

function arrow(c: CanvasRenderingContext2D, s: State, launch: number, kernel: number): void {
  const from = rowOfBar(s, launch), to = rowOfBar(s, kernel), { start, end } = s.lanes.bars;
  if (!from || !to) return;
  const x0 = xAt(s, end[launch]!), x1 = xAt(s, start[kernel]!), y0 = shelfY(from.row, from.shelf) + from.row.height / 2, y1 = shelfY(to.row, to.shelf) + to.row.height / 2;
  c.strokeStyle = s.colour['--ink']!;
  c.lineWidth = 1.25;
  c.beginPath();
  c.moveTo(x0, y0);
  c.bezierCurveTo(x0 + 24, y0, x1 - 24, y1, x1 - 5, y1);
  c.moveTo(x1 - 5, y1 - 4);
  c.lineTo(x1, y1);
  c.lineTo(x1 - 5, y1 + 4);
  c.stroke();
}

// What a bar launched: there are few, and only a selected bar is asked.
export function launchedBy(s: State, bar: number): number[] {
  const found: number[] = [];
  for (let i = s.lanes.launch.indexOf(bar); i >= 0; i = s.lanes.launch.indexOf(bar, i + 1)) found.push(i);
  return found;
}

function paintSelection(c: CanvasRenderingContext2D, s: State): void {
  outline(c, s, s.selected, s.colour['--ink']!);
  if (s.hovered !== s.selected) outline(c, s, s.hovered, s.colour['--ink2']!);
  if (s.selected < 0) return;
  const launch = s.lanes.launch[s.selected]!;
  if (launch >= 0) arrow(c, s, launch, s.selected);
  for (const kernel of s.launched) arrow(c, s, s.selected, kernel);
}

function paintMeasure(c: CanvasRenderingContext2D, s: State): void {
  if (!s.measure) return;
  const [a, b] = [xAt(s, Math.min(...s.measure)), xAt(s, Math.max(...s.measure))];
  c.fillStyle = s.colour['--link']!;
  c.globalAlpha = 0.14;
  c.fillRect(a, AXIS - 4, b - a, s.layout.height);
  c.globalAlpha = 1;
  c.fillStyle = s.colour['--ink']!;
  c.fillText(duration(Math.abs(s.measure[1] - s.measure[0])), a + 4, AXIS + 6);
}

function fitted(c: CanvasRenderingContext2D, text: string, width: number): string {
  if (c.measureText(text).width <= width) return text;
  let n = Math.floor(text.length * width / c.measureText(text).width);
  while (n > 1 && c.measureText(`${text.slice(0, n)}…`).width > width) n--;
  return `${text.slice(0, n)}…`;
}

const SIGNS = { open: '▾ ', shut: '▸ ' };

function paintNames(c: CanvasRenderingContext2D, s: State): void {
  const g = s.layout.gutter, folds = (r: Row): string => (r.lane.depth > 8 ? SIGNS[r.open ? 'open' : 'shut'] : '');
  if (g) {
    c.fillStyle = s.colour['--bg']!;
    c.fillRect(0, AXIS - 4, g, s.layout.height);
    c.fillStyle = s.colour['--rule2']!;
    c.fillRect(g - 1, 0, 1, s.layout.height);
  }
  c.fillStyle = s.colour['--ink2']!;
  for (const r of s.layout.rows) {
    const text = folds(r) + r.lane.name;
    if (g) c.fillText(fitted(c, text, g - 14), 8, r.y + Math.min(r.lane.depth * r.height, 20) / 2);
    else c.fillText(text, 2, r.y - 7);
  }
}

export function paint(c: CanvasRenderingContext2D, s: State): void {
  c.globalAlpha = 1;
  c.fillStyle = s.colour['--bg']!;
  c.fillRect(0, 0, s.width, s.layout.height);
  c.font = FONT;
  c.textBaseline = 'middle';
  paintAxis(c, s);
  c.save();
  c.beginPath();
  c.rect(s.layout.gutter, 0, s.width - s.layout.gutter, s.layout.height);
  c.clip();
  paintRows(c, s);
  paintSelection(c, s);
  paintMeasure(c, s);
  c.restore();
  paintNames(c, s);
}

