// The roofline plot: both axes logarithmic, a point's area is its GPU time.
import { svg } from '../../dom';
import { count, duration, fixed, percent } from '../../format';
import { decades, specTitle, type Family, type Point, type Roofs } from './roof';

const LOOK: Record<Family, [colour: string, sign: string, title: string]> = {
  matrix: ['--compute', '●', 'matrix multiply, attention, convolution'], elementwise: ['--copy', '■', 'elementwise'], reduction: ['--comm', '▲', 'reduction, normalisation'],
};
export const familyLook = (f: Family): { colour: string; sign: string; title: string } => ({ colour: LOOK[f][0], sign: LOOK[f][1], title: LOOK[f][2] });

interface Frame { left: number; right: number; top: number; bottom: number; x(v: number): number; y(v: number): number; xs: [number, number]; ys: [number, number] }

function frameOf(points: Point[], roofs: Roofs, width: number, height: number): Frame {
  const xs = decades(points.map(p => p.intensity)), ys = decades([...points.map(p => p.tflops), ...roofs.peaks.map(p => p.tflops)]);
  const left = 54, right = width - 26, top = 14, bottom = height - 40;
  const along = (v: number, [low, high]: [number, number], a: number, b: number): number => a + (Math.log10(v) - low) / (high - low) * (b - a);
  return { left, right, top, bottom, xs, ys, x: v => along(v, xs, left, right), y: v => along(v, ys, bottom, top) };
}

const powerText = (k: number): string => (k >= 0 && k < 4 ? count(10 ** k) : k < 0 && k > -4 ? fixed(10 ** k, -k) : `1e${k}`);

function drawAxes(f: Frame): SVGElement[] {
  const parts: SVGElement[] = [];
  for (let k = f.xs[0]; k <= f.xs[1]; k++) parts.push(svg('line', { class: 'ax', x1: f.x(10 ** k), x2: f.x(10 ** k), y1: f.top, y2: f.bottom }), svg('text', { x: f.x(10 ** k), y: f.bottom + 16, 'text-anchor': 'middle' }, powerText(k)));
  for (let k = f.ys[0]; k <= f.ys[1]; k++) parts.push(svg('line', { class: 'ax', x1: f.left, x2: f.right, y1: f.y(10 ** k), y2: f.y(10 ** k) }), svg('text', { x: f.left - 6, y: f.y(10 ** k) + 4, 'text-anchor': 'end' }, powerText(k)));
  const middle = (f.top + f.bottom) / 2;
  parts.push(svg('text', { x: (f.left + f.right) / 2, y: f.bottom + 34, 'text-anchor': 'middle' }, 'Arithmetic intensity, FLOP per byte'),
    svg('text', { x: 12, y: middle, transform: `rotate(-90 12 ${middle})`, 'text-anchor': 'middle' }, 'TFLOP/s'));
  return parts;
}

// The slope is the memory's, drawn once; where it meets a peak, the roof is flat.
function drawRoofs(f: Frame, roofs: Roofs): SVGElement[] {
  const x0 = 10 ** f.xs[0], x1 = 10 ** f.xs[1], parts: SVGElement[] = [], flat = roofs.bandwidth;
  let above = -Infinity;
  for (const p of roofs.peaks) {
    const knee = flat ? Math.max(x0, Math.min(x1, p.tflops / flat)) : x0, y = f.y(p.tflops), label = y - above < 13 ? y + 12 : y - 5;
    parts.push(svg('path', { class: 'roof', d: `M${f.x(knee)} ${y}H${f.right}` }), svg('text', { class: 'roof-name', x: f.right - 2, y: label, 'text-anchor': 'end' }, `${fixed(p.tflops, p.tflops < 10 ? 1 : 0)} TFLOP/s (${specTitle(p.spec)})`));
    above = y;
  }
  const low = 10 ** f.ys[0], high = roofs.peaks[0]?.tflops ?? 10 ** f.ys[1];
  if (!flat) return parts;
  const a = Math.max(x0, low / flat), b = Math.min(x1, high / flat), mid = Math.sqrt(a * b);
  if (b <= a) return parts;
  const turn = Math.atan2(f.y(b * flat) - f.y(a * flat), f.x(b) - f.x(a)) * 180 / Math.PI, at = `${f.x(mid)} ${f.y(mid * flat) - 7}`;
  parts.push(svg('path', { class: 'roof', d: `M${f.x(a)} ${f.y(a * flat)}L${f.x(b)} ${f.y(b * flat)}` }),
    svg('text', { class: 'roof-name', x: f.x(mid), y: f.y(mid * flat) - 7, transform: `rotate(${turn} ${at})`, 'text-anchor': 'middle' }, `${fixed(flat, 2)} TB/s`));
  return parts;
}

function shape(p: Point, x: number, y: number, r: number): SVGElement {
  const paint = { fill: `var(${familyLook(p.family).colour})`, 'fill-opacity': 0.55, stroke: `var(${familyLook(p.family).colour})` };
  if (p.family === 'matrix') return svg('circle', { cx: x, cy: y, r, ...paint });
  if (p.family === 'elementwise') return svg('rect', { x: x - r * 0.89, y: y - r * 0.89, width: r * 1.77, height: r * 1.77, ...paint });
  return svg('path', { d: `M${x} ${y - r * 1.35}L${x + r * 1.17} ${y + r * 0.67}H${x - r * 1.17}Z`, ...paint });
}

export const pointText = (p: Point): string =>
  `${p.name}  ${p.dims}\n${count(p.calls)} calls, ${duration(p.time)}\n${fixed(p.intensity, 2)} FLOP/byte, ${fixed(p.tflops, 2)} TFLOP/s, ${percent(p.percent)} of the roof (${specTitle(p.spec)})`;

// Large ones first, so that small ones lie on top.
export function drawPlot(points: Point[], roofs: Roofs, width: number, picked: string, pick: (p: Point) => void): SVGElement {
  const height = Math.round(Math.min(400, Math.max(290, width * 0.52))), f = frameOf(points, roofs, width, height), most = Math.max(...points.map(p => p.time));
  const shapes = points.slice().sort((a, b) => b.time - a.time).map(p => {
    const mark = shape(p, f.x(p.intensity), f.y(p.tflops), Math.max(3, 17 * Math.sqrt(p.time / most)));
    mark.setAttribute('class', p.name === picked ? 'pt hit' : 'pt');
    mark.dataset.row = String(p.row);
    mark.addEventListener('click', () => pick(p));
    mark.append(svg('title', {}, pointText(p).slice(0, 2000)));
    return mark;
  });
  const roof = drawRoofs(f, roofs), lines = roof.filter(e => e.tagName === 'path'), names = roof.filter(e => e.tagName === 'text');
  const label = `Roofline: arithmetic intensity against achieved TFLOP/s of ${count(points.length)} operators; the table beside it has the same`;
  return svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label }, ...drawAxes(f), ...lines, ...shapes, ...names);
}
