// What decided the time, where the window went, and whether to believe it.
import type { App, View } from '../app';
import { accounting, swatch } from '../bars';
import { classOf } from '../classes';
import type { Table } from '../data';
import { el } from '../dom';
import { counted, duration, percent, viewTitle } from '../format';
import './overview.css';

// A fact of `info`, in words.
function fact(info: Table | undefined, what: string): string {
  if (!info) return '';
  const names = info.column('what'), words = info.column('value');
  for (let i = 0; i < info.rows; i++) if (names.text(i) === what && words.text(i)) return words.text(i);
  return '';
}

function number(info: Table | undefined, what: string): number | null {
  if (!info) return null;
  const names = info.column('what'), numbers = info.column('number');
  for (let i = 0; i < info.rows; i++) if (names.text(i) === what && !numbers.missing(i)) return numbers.num(i);
  return null;
}

function subtitle(info: Table | undefined): HTMLElement {
  const events = number(info, 'events'), window = number(info, 'window_ns'), rank = fact(info, 'rank');
  const parts = [fact(info, 'file').split(': gzip,')[0]!.split(': plain')[0], fact(info, 'device').replace(/^(\d+): not described in the file/, 'GPU $1'), rank && `rank ${rank}`, fact(info, 'steps') && `steps ${fact(info, 'steps')}`,
    events !== null && counted(events, 'event'), window !== null && `window ${duration(window)}`];
  return el('p', { class: 'sub' }, ...parts.filter(Boolean).map(text => el('span', {}, text as string)));
}

/* ---- where the GPU's time went ---- */

const GPU_PARTS = ['computation', 'exposed_communication', 'exposed_copies', 'idle'];

interface Share { name: string; value: number; percent: number }

// Of all devices together, or of the only one.
export function gpuShares(t: Table): { device: string; total: number; parts: Share[] } | null {
  const device = t.column('device'), what = t.column('what'), time = t.column('time_ns'), share = t.column('percent');
  const wanted = device.values.includes('all') ? 'all' : device.text(0);
  const parts: Share[] = [];
  let total = 0;
  for (let i = 0; i < t.rows; i++) {
    if (device.text(i) !== wanted) continue;
    if (GPU_PARTS.includes(what.text(i))) parts.push({ name: what.text(i), value: time.num(i), percent: share.num(i) });
    if (what.text(i) === 'total') total = time.num(i);
  }
  return total > 0 ? { device: wanted, total, parts } : null;
}

function drawAccounting(host: HTMLElement, t: Table): void {
  const gpu = gpuShares(t);
  if (!gpu) return;
  const words = (p: Share): string => `${classOf(p.name).title} ${duration(p.value)}, ${percent(p.percent)}`;
  const label = `GPU time ${duration(gpu.total)}: ${gpu.parts.map(words).join('; ')}`;
  host.append(
    el('h3', {}, 'GPU time ', el('small', {}, `from the first to the last GPU event: ${duration(gpu.total)}`)),
    accounting(gpu.parts.map(p => ({ name: p.name, value: p.value, title: words(p) })), label),
    el('div', { class: 'key' }, ...gpu.parts.map(p => el('div', {}, swatch(p.name), el('span', {}, classOf(p.name).title),
      el('i', {}), el('span', {}, el('b', {}, duration(p.value)), ' ', percent(p.percent))))));
}

/* ---- findings, trust ---- */

function finding(t: Table, i: number): HTMLElement {
  const saving = t.has('saving') && t.column('saving').values[i] === true;
  const sign = (text: string): string => (saving ? '\u2212' + text : text);
  const view = t.column('view').text(i), time = t.column('time_ns'), share = t.column('percent');
  const command = t.has('command') ? t.column('command').text(i) : '';
  return el('li', {},
    el('span', { class: 't' }, time.missing(i) ? '' : sign(duration(time.num(i)))),
    el('span', { class: 'p' }, share.missing(i) ? '' : sign(percent(share.num(i)))),
    el('span', { title: command || null }, t.column('sentence').text(i)),
    view ? el('a', { href: `#${view}` }, viewTitle(view)) : el('span', {}));
}

function drawFindings(t: Table): HTMLElement {
  return el('div', {}, el('h3', {}, 'Findings ', el('small', {}, 'ranked by time; % of the window')),
    el('ol', { class: 'find' }, ...Array.from({ length: t.rows }, (_, i) => finding(t, i))));
}

function drawTrust(t: Table): HTMLElement {
  const level = t.column('level'), what = t.column('what'), value = t.column('value'), sentence = t.column('sentence');
  const rows = Array.from({ length: t.rows }, (_, i) => {
    const name = what.text(i), warn = level.text(i) === 'warn';
    return [el('dt', { class: warn && 'warn', title: sentence.text(i) }, name), el('dd', {}, value.text(i))];
  });
  return el('div', {}, el('h3', {}, 'Can these numbers be trusted?'), el('dl', { class: 'trust' }, ...rows.flat()));
}

function drawDoubts(doubts: string[]): HTMLElement {
  return el('div', {}, el('h3', {}, 'What could change the answer'), el('ul', { class: 'doubts' }, ...doubts.map(text => el('li', {}, text))));
}

// Ready commands, "command\tpurpose".
function drawNext(next: string[]): HTMLElement {
  const rows = next.map(line => line.split('\t')).map(([command, purpose]) => [el('dt', { class: 'mono' }, command), el('dd', {}, purpose)]);
  return el('div', {}, el('h3', {}, 'Next'), el('dl', { class: 'next' }, ...rows.flat()));
}

export const overview: View = {
  id: 'overview',
  early: true,
  title: 'Overview',
  tables: ['findings', 'trust', 'missing'],
  answer: () => '',
  draw(host, app: App) {
    const a = app.answer;
    host.append(el('h1', {}, a.headline || 'longpole'), a.kind === 'diff' ? '' : subtitle(a.table('info')));
    const timeline = a.kind === 'diff' ? undefined : a.table('timeline'), findings = a.table('findings'), trust = a.table('trust');
    if (timeline) drawAccounting(host, timeline);
    const parts = [findings && drawFindings(findings), trust && drawTrust(trust),
      !trust && a.doubts.length > 0 && drawDoubts(a.doubts), !findings && a.next.length > 0 && drawNext(a.next)].filter(Boolean) as HTMLElement[];
    if (parts.length) host.append(el('div', { class: 'two w facts' }, ...parts));
  },
};
