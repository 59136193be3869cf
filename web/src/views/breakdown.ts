// Which class decides the end-to-end time: each bar starts where the last one ended. And what
// each device did.
import type { App, View } from '../app';
import { classBar, swatch } from '../bars';
import { classOf } from '../classes';
import type { Table } from '../data';
import { el } from '../dom';
import { duration, fixed, percent, scaleOf } from '../format';
import './breakdown.css';

interface Row { name: string; time: number; percent: number; hint: string; from: number }

function rowsOf(t: Table): { rows: Row[]; total: number } {
  const name = t.column('class'), time = t.column('time_ns'), share = t.column('percent'), hint = t.column('hint');
  let from = 0;
  const rows = Array.from({ length: t.rows }, (_, i) => {
    const row = { name: name.text(i), time: time.num(i), percent: share.num(i), hint: hint.text(i), from };
    from += row.time;
    return row;
  });
  return { rows, total: from };
}

function waterfall(t: Table): HTMLElement {
  const { rows, total } = rowsOf(t), scale = scaleOf('nsec', total);
  const time = (ns: number): string => fixed(ns / scale.by, scale.decimals);
  const line = (r: Row): HTMLElement => el('tr', {},
    el('td', { class: 'cls' }, swatch(r.name), ' ', classOf(r.name).title), el('td', { class: 'r' }, time(r.time)),
    el('td', { class: 'r dim' }, fixed(r.percent, 1)),
    el('td', { class: 'w' }, classBar([{ name: r.name, from: r.from / total, size: r.time / total, title: percent(r.percent) }])),
    el('td', { class: 'dim hide-s', title: r.hint }, r.hint));
  return el('div', {}, el('h3', {}, 'Critical path by class ', el('small', {}, 'sums to the window')),
    el('table', { class: 'fall' },
      el('thead', {}, el('tr', {}, el('th', {}, 'Class'), el('th', { class: 'r' }, scale.unit), el('th', { class: 'r' }, '%'),
        el('th', { class: 'w' }, `0 to ${duration(total)}`), el('th', { class: 'hide-s' }, 'Usually helps'))),
      el('tbody', {}, ...rows.map(line), el('tr', { class: 'sum' }, el('td', {}, 'Window'), el('td', { class: 'r' }, time(total)),
        el('td', { class: 'r' }, '100.0'), el('td', { class: 'w' }), el('td', { class: 'hide-s' })))));
}

const WHAT: Record<string, string> = {
  computation: 'Computation', exposed_communication: 'Exposed communication', exposed_copies: 'Exposed copies', idle: 'Idle',
  total: 'Total', busy: 'Busy', communication_total: 'All communication', copies_total: 'All copies',
};

// The first four sum to the total; the others say more of the same time.
function devices(t: Table): HTMLElement {
  const device = t.column('device'), what = t.column('what'), time = t.column('time_ns'), share = t.column('percent');
  const scale = scaleOf('nsec', Math.max(...time.float64()));
  const lines = Array.from({ length: t.rows }, (_, i) => {
    const name = what.text(i), first = i === 0 || device.text(i - 1) !== device.text(i), more = /^(busy|.*_total)$/.test(name);
    return el('tr', { class: name === 'total' ? 'sum' : more ? 'more' : null },
      el('td', {}, first ? device.text(i) : ''), el('td', { class: 'cls' }, more || name === 'total' ? el('i', { class: 'sw' }) : swatch(name), ' ', WHAT[name] ?? name),
      el('td', { class: 'r' }, fixed(time.num(i) / scale.by, scale.decimals)), el('td', { class: 'r dim' }, fixed(share.num(i), 1)));
  });
  return el('div', {}, el('h3', {}, 'GPU time per device'),
    el('table', {}, el('thead', {}, el('tr', {}, el('th', {}, 'Device'), el('th', {}, 'What'), el('th', { class: 'r' }, scale.unit), el('th', { class: 'r' }, '%'))),
      el('tbody', {}, ...lines)));
}

function sentence(app: App): string | null {
  const path = app.answer.table('path_summary');
  if (path) {
    const { rows, total } = rowsOf(path), first = rows[0]!;
    return `${classOf(first.name).title} decide${/s$/.test(classOf(first.name).title) ? '' : 's'} ${percent(first.percent)} of the ${duration(total)} from first to last event.`;
  }
  const t = app.answer.table('timeline');
  if (!t) return null;
  const i = t.find('what', 'computation');
  return i < 0 ? '' : `Computation takes ${percent(t.column('percent').num(i))} of the GPU's time.`;
}

export const breakdown: View = {
  id: 'breakdown',
  early: true,
  title: 'Breakdown',
  tables: ['path_summary', 'timeline'],
  answer: sentence,
  draw(host, app) {
    const path = app.answer.table('path_summary'), gpu = app.answer.table('timeline');
    host.append(el('div', { class: 'two break' }, path && waterfall(path), gpu && devices(gpu)));
  },
};
