// What the launching thread did while the GPU had nothing to do, and how long the gaps are.
import type { App, View } from '../app';
import { plainBar, swatch } from '../bars';
import { classOf } from '../classes';
import { columnsOf } from '../columns';
import type { Table } from '../data';
import { el } from '../dom';
import { count, duration, fixed, percent, scaleOf, shortName, within } from '../format';
import { Grid } from '../grid';
import { groupBy, sum, type Group } from '../groups';
import './idle.css';

function causesOf(t: Table): (Group & { time: number })[] {
  return groupBy(t, i => t.column('cause').text(i)).map(g => ({ ...g, time: sum(t, 'idle_ns', g.rows) })).sort((a, b) => b.time - a.time);
}

const total = (t: Table): number => t.column('idle_ns').float64().reduce((a, b) => a + b, 0);

/* ---- causes, opened to names ---- */

function nameRow(t: Table, row: number, most: number, time: (ns: number) => string): HTMLElement {
  const name = t.column('name').text(row);
  return el('tr', { hidden: true, class: 'sub2' },
    el('td', { class: 'n', title: name }, shortName(name)), el('td', { class: 'r dim' }, time(t.column('idle_ns').num(row))),
    el('td', { class: 'r dim' }, fixed(t.column('percent').num(row), 1)), el('td', { class: 'hide-s' }, plainBar(t.column('idle_ns').num(row) / most)),
    el('td', { class: 'r dim hide-s' }, count(t.column('gaps').num(row))), el('td', { class: 'r dim hide-s' }, fixed(t.column('longest_ns').num(row) / 1e3, 1)));
}

const MOST_NAMES = 12;

function causeRows(t: Table, g: Group & { time: number }, all: number, most: number, time: (ns: number) => string, open: boolean): HTMLElement[] {
  const names = g.rows.slice(0, MOST_NAMES).map(row => nameRow(t, row, most, time)), rest = g.rows.slice(MOST_NAMES);
  if (rest.length) names.push(el('tr', { hidden: true, class: 'sub2 foldr' }, el('td', { class: 'n' }, `${count(rest.length)} more`),
    el('td', { class: 'r' }, time(sum(t, 'idle_ns', rest))), el('td', { class: 'r' }, fixed(100 * sum(t, 'idle_ns', rest) / all, 1)), el('td', { class: 'hide-s' }), el('td', { class: 'hide-s' }), el('td', { class: 'hide-s' })));
  const title = classOf(g.key).title;
  const turn = (): void => {
    const opened = button.getAttribute('aria-expanded') !== 'true';
    button.setAttribute('aria-expanded', String(opened));
    button.textContent = opened ? '▾' : '▸';
    for (const n of names) n.hidden = !opened;
  };
  const button = el('button', { class: 'tri', 'aria-expanded': 'false', 'aria-label': `Names in ${title}`, click: turn }, '▸');
  if (open) turn();
  return [el('tr', {}, el('td', { class: 'cls' }, button, swatch(g.key), ' ', title), el('td', { class: 'r' }, time(g.time)),
    el('td', { class: 'r dim' }, fixed(100 * g.time / all, 1)), el('td', { class: 'hide-s' }, plainBar(g.time / most, classOf(g.key).colour)),
    el('td', { class: 'hide-s' }), el('td', { class: 'r hide-s' }, fixed(Math.max(...g.rows.map(r => t.column('longest_ns').num(r))) / 1e3, 1))), ...names];
}

function drawCauses(t: Table): HTMLElement {
  const causes = causesOf(t), all = total(t), scale = scaleOf('nsec', all), most = causes[0]!.time;
  const time = (ns: number): string => fixed(ns / scale.by, scale.decimals);
  return el('div', {}, el('h3', {}, 'What the launching thread did meanwhile'),
    el('table', { class: 'idle' }, el('thead', {}, el('tr', {}, el('th', {}, 'Cause'), el('th', { class: 'r' }, scale.unit), el('th', { class: 'r' }, '%'),
      el('th', { class: 'hide-s' }), el('th', { class: 'r hide-s' }, 'Gaps'), el('th', { class: 'r hide-s' }, 'Longest µs'))),
      el('tbody', {}, ...causes.flatMap((g, k) => causeRows(t, g, all, most, time, k === 0)),
        el('tr', { class: 'sum' }, el('td', {}, 'All idle time'), el('td', { class: 'r' }, time(all)), el('td', { class: 'r' }, '100.0'),
          el('td', { class: 'hide-s' }), el('td', { class: 'hide-s' }), el('td', { class: 'hide-s' })))));
}

/* ---- gaps by length ---- */

const LIMITS: [number, string][] = [[5e3, 'under 5 µs'], [1e4, '5 to 10 µs'], [5e4, '10 to 50 µs'], [1e5, '50 to 100 µs'], [1e6, '0.1 to 1 ms'], [1e7, '1 to 10 ms'], [Infinity, 'over 10 ms']];

function drawLengths(t: Table): HTMLElement {
  const sizes = t.column('dur_ns').float64(), bins = LIMITS.map(() => ({ n: 0, time: 0 }));
  for (const ns of sizes) {
    const bin = bins[LIMITS.findIndex(([limit]) => ns < limit)]!;
    bin.n++;
    bin.time += ns;
  }
  const most = Math.max(1, ...bins.map(b => b.time)), scale = scaleOf('nsec', most);
  return el('div', {}, el('h3', {}, 'Gaps by length'),
    el('table', {}, el('thead', {}, el('tr', {}, el('th', {}, 'Length'), el('th', { class: 'r' }, 'Gaps'), el('th', { class: 'r' }, scale.unit), el('th', { class: 'w' }))),
      el('tbody', {}, ...bins.map((b, k) => el('tr', {}, el('td', { class: 'cls' }, LIMITS[k]![1]), el('td', { class: 'r' }, count(b.n)),
        el('td', { class: 'r' }, fixed(b.time / scale.by, scale.decimals)), el('td', { class: 'w' }, plainBar(b.time / most, '--gpu_gap')))))));
}

function drawGaps(host: HTMLElement, app: App, t: Table): void {
  const part = el('div', { class: 'part' }, el('h3', {}, 'Longest gaps'));
  host.append(part);
  const start = t.column('start_ns'), size = t.column('dur_ns');
  const link = (row: number): HTMLElement => el('a', { href: '#timeline', click: () => app.select({ start: start.num(row), end: start.num(row) + size.num(row) }) }, fixed(start.num(row) / 1e6, 3));
  new Grid(part, app, { id: 'idle_gaps', rows: t.rows, shown: 8, sort: 'dur_ns:desc', searched: 'ended_by',
    columns: columnsOf(t, { start_ns: { title: 'Start', narrow: true, ...(document.getElementById('timeline') ? { draw: link } : {}) }, dur_ns: { narrow: true }, ended_by: { narrow: true } }) });
}

export const idle: View = {
  id: 'idle',
  title: 'GPU idle',
  tables: ['idle_causes', 'idle_gaps'],
  answer(app) {
    const t = app.answer.table('idle_causes');
    if (!t) return null;
    const [first] = causesOf(t), all = total(t);
    return `${duration(all)} idle, ${percent(100 * first!.time / (all || 1))} of it: ${within(classOf(first!.key).title)}.`;
  },
  draw(host, app) {
    const causes = app.answer.table('idle_causes')!, gaps = app.answer.table('idle_gaps');
    host.append(el('div', { class: 'two w' }, drawCauses(causes), gaps && drawLengths(gaps)));
    if (gaps) drawGaps(host, app, gaps);
  },
};
