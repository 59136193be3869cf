// The window from before to after, by class of the critical path; and the figures of both.
import type { App, View } from '../../app';
import { swatch } from '../../bars';
import { classOf } from '../../classes';
import type { Table } from '../../data';
import { el, styled } from '../../dom';
import { duration, fixed, percent, scaleOf, signed, within } from '../../format';
import '../breakdown.css';

interface Change { name: string; before: number; after: number }

// By class where the critical path of both is known, else what the GPU did.
function changes(app: App): { title: string; unit: string; list: Change[] } | null {
  const path = app.answer.table('diff_path'), summary = app.answer.table('diff_summary');
  const read = (t: Table, name: string, i: number): Change => ({ name, before: t.column('before_ns').num(i), after: t.column('after_ns').num(i) });
  if (path) return { title: 'Window, from before to after', unit: 'critical path by class', list: Array.from({ length: path.rows }, (_, i) => read(path, path.column('class').text(i), i)) };
  if (!summary) return null;
  const parts: [string, string][] = [['gpu_busy', 'computation'], ['gpu_idle', 'idle']];
  const list = parts.flatMap(([what, name]) => (summary.find('what', what) < 0 ? [] : [read(summary, name, summary.find('what', what))]));
  return list.length ? { title: 'GPU time, from before to after', unit: 'first to last GPU event', list } : null;
}

const total = (list: Change[], key: 'before' | 'after'): number => list.reduce((s, c) => s + c[key], 0);

function bar(from: number, size: number, colour: string): HTMLElement {
  return el('div', { class: 'hb' }, styled(el('i', {}), { left: `${100 * from}%`, width: `${100 * size}%`, background: `var(${colour})` }));
}

function waterfall(c: { title: string; unit: string; list: Change[] }): HTMLElement {
  const before = total(c.list, 'before'), after = total(c.list, 'after');
  const list = c.list.filter(x => x.after !== x.before).sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before));
  let at = before, highest = Math.max(before, after);
  const steps = list.map(x => {
    const from = at;
    at += x.after - x.before;
    highest = Math.max(highest, at);
    return { ...x, from, to: at };
  });
  const scale = scaleOf('nsec', highest), time = (ns: number): string => fixed(ns / scale.by, scale.decimals);
  const end = (name: string, ns: number): HTMLElement => el('tr', { class: 'sum' }, el('td', {}, name), el('td', { class: 'w' }, bar(0, ns / highest, '--mute')), el('td', { class: 'r' }, time(ns)));
  return el('div', {}, el('h3', {}, `${c.title} `, el('small', {}, c.unit)),
    el('table', { class: 'fall change' }, el('thead', {}, el('tr', {}, el('th', {}, 'Class'), el('th', { class: 'w' }, `0 to ${duration(highest)}`), el('th', { class: 'r' }, scale.unit))),
      el('tbody', {}, end('Before', before), ...steps.map(s => el('tr', {}, el('td', { class: 'cls' }, swatch(s.name), ' ', classOf(s.name).title),
        el('td', { class: 'w' }, bar(Math.min(s.from, s.to) / highest, Math.abs(s.to - s.from) / highest, s.to > s.from ? '--slower' : '--faster')),
        el('td', { class: `r ${s.to > s.from ? 'pos' : 'neg'}` }, signed(s.to - s.from, time)))), end('After', after))));
}

function figures(t: Table): HTMLElement {
  const before = t.column('before_ns'), after = t.column('after_ns'), delta = t.column('delta_ns'), share = t.column('percent');
  const rows = Array.from({ length: t.rows }, (_, i) => i).filter(i => !before.missing(i) || !after.missing(i));
  const scale = scaleOf('nsec', Math.max(...before.float64(), ...after.float64())), time = (ns: number): string => fixed(ns / scale.by, scale.decimals);
  return el('div', {}, el('h3', {}, 'Figures'), el('table', {},
    el('thead', {}, el('tr', {}, el('th', {}, ''), el('th', { class: 'r' }, `Before ${scale.unit}`), el('th', { class: 'r' }, 'After'), el('th', { class: 'r' }, 'Δ'), el('th', { class: 'r hide-s' }, '%'))),
    el('tbody', {}, ...rows.map(i => el('tr', {}, el('td', {}, t.labels?.[i] || t.column('what').text(i).replace(/_/g, ' ')), el('td', { class: 'r' }, time(before.num(i))), el('td', { class: 'r' }, time(after.num(i))),
      el('td', { class: `r ${delta.num(i) > 0 ? 'pos' : delta.num(i) < 0 ? 'neg' : ''}` }, signed(delta.num(i), time)), el('td', { class: 'r dim hide-s' }, share.missing(i) ? '' : signed(share.num(i), v => fixed(v, 1))))))));
}

export const change: View = {
  id: 'diff',
  title: 'Change',
  tables: ['diff_path', 'diff_summary'],
  answer(app) {
    const c = app.answer.table('diff_summary') ? changes(app) : null;
    if (!c) return null;
    const before = total(c.list, 'before'), after = total(c.list, 'after'), by = after - before;
    if (!by) return `After takes as long as before: ${duration(after)}.`;
    const most = c.list.slice().sort((a, b) => (b.after - b.before - a.after + a.before) * Math.sign(by))[0]!, part = most.after - most.before;
    return `After is ${duration(Math.abs(by))} (${percent(100 * Math.abs(by) / (before || 1), 1)}) ${by > 0 ? 'slower' : 'faster'}: ${within(classOf(most.name).title)} ${part > 0 ? '+' : ''}${duration(part)}.`;
  },
  draw(host, app) {
    const c = changes(app), summary = app.answer.table('diff_summary')!;
    host.append(el('div', { class: 'two' }, c && waterfall(c), figures(summary)));
  },
};
