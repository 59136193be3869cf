// Roofline: how far each operator is from what the hardware can do, and what that is worth.
import type { App, View } from '../../app';
import { el, styled } from '../../dom';
import { column, type GridColumn } from '../../columns';
import { count, duration, fixed, percent } from '../../format';
import { Grid } from '../../grid';
import { readPoints, readRoofs, type Family, type Point } from './roof';
import { drawPlot, familyLook } from './roof_plot';
import './roofline.css';

const read = new WeakMap<App, Point[]>();

function pointsOf(app: App): Point[] {
  if (!read.has(app)) read.set(app, readPoints(app.answer));
  return read.get(app)!;
}

// The operator, of all its shapes together, that holds most of the time above the roofs.
function worst(points: Point[]): [name: string, above: number] {
  const above = new Map<string, number>();
  for (const p of points) above.set(p.name, (above.get(p.name) ?? 0) + p.above);
  return [...above].reduce((a, b) => (b[1] > a[1] ? b : a));
}

function sentence(points: Point[]): string | null {
  const time = points.reduce((s, p) => s + p.time, 0), above = points.reduce((s, p) => s + p.above, 0);
  if (!points.length || !time) return null;
  const [name, most] = worst(points);
  const matrix = points.filter(p => p.family === 'matrix'), busy = matrix.reduce((s, p) => s + p.time, 0);
  const reached = busy ? `Matrix work reaches ${percent(matrix.reduce((s, p) => s + p.percent * p.time, 0) / busy, 0)} of its roof; ` : '';
  return `${reached}${duration(above)} of the ${duration(time)} of modelled GPU time lie above the roofs${above > 0 ? `, ${duration(most)} of it in ${name.slice(0, 60)}` : ''}.`;
}

function legend(points: Point[]): HTMLElement {
  const families = (['matrix', 'elementwise', 'reduction'] as Family[]).filter(f => points.some(p => p.family === f));
  return el('div', { class: 'leg' }, ...families.map(f => {
    const look = familyLook(f);
    return el('span', {}, styled(el('b', {}, `${look.sign} `), { color: `var(${look.colour})` }), look.title);
  }), el('span', {}, 'area = GPU time'));
}

function drawTable(host: HTMLElement, app: App, points: Point[]): void {
  const ops = app.answer.table('ops')!, rows = points.slice().sort((a, b) => b.above - a.above || b.time - a.time);
  const of = (name: string, change: Partial<GridColumn>): GridColumn => {
    const c = column(ops.column(name), change);
    return { ...c, sum: false, value: i => ops.column(name).values[rows[i]!.row] ?? null };
  };
  host.append(el('h3', {}, 'Time above the roof ', el('small', {}, 'what one can win')));
  new Grid(host, app, {
    id: 'roofline', rows: rows.length, searched: 'name', name: i => rows[i]!.name, shown: 9,
    columns: [
      of('name', { title: 'Operator', narrow: true, hidden: false, draw: i => el('span', { title: `${rows[i]!.name} ${rows[i]!.dims}`.slice(0, 4000) }, `${rows[i]!.name} ${rows[i]!.dims.replace(/[[\]]/g, m => (m === '[' ? '(' : ')'))}`.slice(0, 300)) }),
      of('kernel_time_ns', { title: 'GPU', hidden: false }), of('roofline_percent', { title: 'Of roof', hidden: false, narrow: true }), of('above_roofline_ns', { title: 'Above', hidden: false, narrow: true }),
      of('compute_spec', { title: 'Unit', hidden: true }), of('tflops_per_s', { title: 'TFLOP/s', hidden: true }), of('flops_per_byte', { title: 'FLOP/byte', hidden: true }), of('input_dims', { title: 'Shapes', hidden: true }),
    ],
  });
}

function note(app: App, points: Point[]): string {
  const all = app.answer.table('ops')!.column('kernel_time_ns').float64().reduce((a, b) => a + b, 0), seen = points.reduce((s, p) => s + p.time, 0);
  return `${count(points.length)} lines of operators with ${fixed(100 * seen / (all || 1), 1)} % of GPU time have a model and a roof. Bytes are the least possible: each tensor once.`;
}

export const roofline: View = {
  id: 'roofline',
  title: 'Roofline',
  tables: ['roofline'],
  answer: app => sentence(pointsOf(app)),
  draw(host, app) {
    const points = pointsOf(app), roofs = readRoofs(app.answer), plot = el('div', { class: 'plot' });
    const left = el('div', {}, plot, legend(points)), right = el('div', {});
    host.append(el('div', { class: 'two w' }, left, right), el('p', { class: 'note' }, note(app, points)));
    const pick = (p: Point): void => app.select({ name: p.name === app.selection.name ? undefined : p.name });
    const draw = (): void => plot.replaceChildren(drawPlot(points, roofs, Math.max(300, plot.clientWidth), app.selection.name ?? '', pick));
    drawTable(right, app, points);
    let width = 0;
    new ResizeObserver(() => {
      if (plot.clientWidth !== width) draw();
      width = plot.clientWidth;
    }).observe(plot);
    app.whenSelected(draw);
  },
};
