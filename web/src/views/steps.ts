// Is it the same in every step: one bar for each, all on one scale.
import type { App, View } from '../app';
import { classBar, swatch } from '../bars';
import { classOf } from '../classes';
import type { Table } from '../data';
import { el } from '../dom';
import { count, duration, fixed, scaleOf } from '../format';

// A way to divide a step: parts sum to the whole.
interface Kind { id: string; title: string; table: Table; start: string; whole: string; parts: { column: string; name: string }[] }

const GPU: [string, string][] = [['computation_ns', 'computation'], ['exposed_communication_ns', 'exposed_communication'],
  ['exposed_copies_ns', 'exposed_copies'], ['idle_ns', 'idle']];
const NO_PARTS = ['start_ns', 'window_ns'];

function kindsOf(app: App): Kind[] {
  const kinds: Kind[] = [], gpu = app.answer.table('steps'), path = app.answer.table('steps_path');
  if (gpu?.has('gpu_time_ns') && gpu.has('idle_ns'))
    kinds.push({ id: 'gpu', title: 'GPU time', table: gpu, start: 'gpu_start_ns', whole: 'gpu_time_ns', parts: GPU.map(([column, name]) => ({ column, name })) });
  if (path) {
    const columns = path.columns.filter(c => c.unit === 'nsec' && !NO_PARTS.includes(c.name) && c.values.some(v => Number(v) > 0));
    kinds.push({ id: 'path', title: 'Critical path', table: path, start: 'start_ns', whole: 'window_ns',
      parts: columns.map(c => ({ column: c.name, name: c.name.replace(/_ns$/, '') })) });
  }
  return kinds;
}

function stepBar(kind: Kind, row: number, longest: number): HTMLElement {
  let from = 0;
  return classBar(kind.parts.map(p => {
    const time = kind.table.column(p.column).num(row), part = { name: p.name, from: from / longest, size: time / longest, title: `${classOf(p.name).title} ${duration(time)}` };
    from += time;
    return part;
  }));
}

function drawTable(kind: Kind, app: App, most: number): HTMLElement {
  const t = kind.table, step = t.column('step'), whole = t.column(kind.whole), longest = Math.max(1, ...whole.float64());
  const scale = scaleOf('nsec', longest), start = t.column(kind.start);
  const open = (row: number) => (): void => app.select({ start: start.num(row), end: start.num(row) + whole.num(row) });
  const line = (row: number): HTMLElement => el('tr', {},
    el('td', { class: 'n step', title: step.text(row) }, el('a', { href: '#timeline', click: open(row) }, step.text(row))),
    el('td', { class: 'w' }, whole.missing(row) ? el('span', { class: 'dim' }, 'no GPU work') : stepBar(kind, row, longest)),
    el('td', { class: 'r' }, whole.missing(row) ? '' : fixed(whole.num(row) / scale.by, scale.decimals)));
  return el('table', { class: 'steps' },
    el('thead', {}, el('tr', {}, el('th', { class: 'step' }, 'Step'), el('th', {}, `0 to ${duration(longest)}`), el('th', { class: 'r' }, scale.unit))),
    el('tbody', {}, ...Array.from({ length: Math.min(most, t.rows) }, (_, row) => line(row))));
}

// Mean and spread: what most readers compare first.
function spread(kind: Kind): { mean: number; shortest: number; longest: number; n: number } {
  const whole = kind.table.column(kind.whole), times = Array.from({ length: kind.table.rows }, (_, i) => i).filter(i => !whole.missing(i)).map(i => whole.num(i));
  return { mean: times.reduce((a, b) => a + b, 0) / (times.length || 1), shortest: Math.min(...times), longest: Math.max(...times), n: times.length };
}

function key(kind: Kind): HTMLElement {
  return el('div', { class: 'leg' }, ...kind.parts.map(p => el('span', { class: 'nw' }, swatch(p.name), ' ', classOf(p.name).title)));
}

const FEW = 20;

export const steps: View = {
  id: 'steps',
  early: true,
  title: 'Steps',
  tables: ['steps', 'steps_path', 'steps_path_summary'],
  answer(app) {
    const kind = kindsOf(app).at(-1), s = kind && spread(kind);
    if (!kind || !s?.n) return null;
    const how = s.n === 1 ? 'One step takes' : `${count(s.n)} steps take ${duration(s.shortest)} to ${duration(s.longest)}, on average`;
    return `${how} ${duration(s.mean)}${kind.id === 'gpu' ? ' of GPU time' : ''}.`;
  },
  draw(host, app) {
    const kinds = kindsOf(app), body = el('div', {});
    let whole = false;
    const chosen = (): Kind => kinds.find(k => k.id === app.address.get('steps.by')) ?? kinds[0]!;
    const buttons = kinds.map(k => el('button', { class: 'btn', click: () => { app.address.set('steps.by', k.id); draw(); } }, k.title));
    const draw = (): void => {
      const kind = chosen(), rows = kind.table.rows;
      buttons.forEach((b, i) => b.setAttribute('aria-pressed', String(kinds[i] === kind)));
      const more = rows > FEW && el('button', { class: 'btn all', click: () => { whole = !whole; draw(); } }, whole ? 'Show fewer' : `Show all ${count(rows)}`);
      body.replaceChildren(drawTable(kind, app, whole ? rows : FEW), key(kind), ...(more ? [more] : []));
    };
    host.append(el('div', { class: 'tools' }, el('span', { class: 'seg' }, ...buttons)), body);
    draw();
  },
};
