// Critical path: the longest single reasons, and what lies on it most.
import type { App, View } from '../../app';
import { plainBar, swatch } from '../../bars';
import { classOf } from '../../classes';
import { column, columnsOf, type GridColumn } from '../../columns';
import type { Table } from '../../data';
import { el } from '../../dom';
import { count, counted, duration, fixed, percent, scaleOf, shortName, within } from '../../format';
import { Grid } from '../../grid';
import './path.css';

const MOST = 500;

function sentence(app: App): string | null {
  const classes = app.answer.table('path_summary'), path = app.answer.table('path');
  if (!classes || !path?.has('why')) return null;
  const title = (i: number): string => (t => (i ? within(t) : t))(classOf(classes.column('class').text(i)).title);
  const part = (i: number): string => `${title(i)} ${duration(classes.column('time_ns').num(i))} (${percent(classes.column('percent').num(i))})`;
  const most = [0, 1, 2].filter(i => i < classes.rows && classes.column('time_ns').num(i) > 0).map(part);
  return most.length ? `${most.join(', ')}: ${counted(path.rows, 'segment')} end to end.` : null;
}

// Rows of the longest segments.
function longest(path: Table): number[] {
  const dur = path.column('dur_ns').float64(), rows = Array.from(dur.keys());
  return rows.sort((a, b) => dur[b]! - dur[a]! || a - b).slice(0, MOST);
}

// Shows a stretch in the timeline, with what lies around it.
function inTimeline(app: App, start: number, dur: number): void {
  const around = Math.max(dur * 0.6, 1000);
  app.select({ start: Math.max(0, Math.round(start - around)), end: Math.round(start + dur + around) });
  app.show('timeline');
}

function startLink(app: App, path: Table, row: number, text: string): Node {
  const start = path.column('start_ns').num(row), dur = path.column('dur_ns').num(row);
  return el('a', { href: '#timeline', click: e => { e.preventDefault(); e.stopPropagation(); inTimeline(app, start, dur); } }, text);
}

function segmentColumns(app: App, path: Table, rows: number[]): GridColumn[] {
  const of = (name: string, change: Partial<GridColumn>): GridColumn => {
    const c = column(path.column(name), change);
    return { ...c, sum: false, value: i => path.column(name).values[rows[i]!] ?? null };
  };
  const name = (i: number): Node => {
    const text = path.column('name').text(rows[i]!), cls = path.column('class').text(rows[i]!);
    return el('span', { title: `${text}\n${classOf(cls).title}` }, swatch(cls), ' ', text === '-' || !text ? classOf(cls).title : shortName(text));
  };
  const columns = [
    of('start_ns', { title: 'Start', narrow: true }), of('dur_ns', { title: 'Took', narrow: true }), of('name', { title: 'Segment', narrow: true, draw: name }),
    of('class', { title: 'Class', hidden: true }), of('lane', { title: 'Lane', width: 120 }), of('why', { title: 'Why', width: 190 }), of('inferred', { title: 'Inferred', hidden: true }),
  ];
  columns[0]!.draw = i => startLink(app, path, rows[i]!, fixed(path.column('start_ns').num(rows[i]!) / 1e6, 2));
  columns[0]!.title = 'Start ms';
  columns[0]!.unit = 'plain';
  return columns;
}

function drawSegments(host: HTMLElement, app: App, path: Table): void {
  const rows = longest(path), many = path.rows > rows.length, part = el('div', {},
    el('h3', {}, 'Longest segments ', el('small', {}, many ? `${count(rows.length)} of ${count(path.rows)}` : `all ${count(path.rows)}`)));
  host.append(part);
  const inferred = path.column('inferred').values.filter(Boolean).length;
  new Grid(part, app, { id: 'segments', rows: rows.length, columns: segmentColumns(app, path, rows), searched: 'name', name: i => path.column('name').text(rows[i]!) });
  if (inferred) part.append(el('p', { class: 'note' }, `${counted(inferred, 'segment')} ${inferred === 1 ? 'waits' : 'wait'} for what was inferred from the calls of the runtime: no row of the trace says it.`));
}

function drawLanes(t: Table): HTMLElement {
  const rows = Array.from({ length: t.rows }, (_, i) => i).filter(i => t.column('path_ns').num(i) > 0), most = Math.max(...rows.map(i => t.column('path_ns').num(i))), scale = scaleOf('nsec', most);
  return el('div', {}, el('h3', {}, 'Where the path runs'), el('table', {}, el('thead', {}, el('tr', {}, el('th', {}, 'Lane'), el('th', { class: 'r' }, scale.unit), el('th', { class: 'r' }, '%'), el('th', { class: 'w' }))),
    el('tbody', {}, ...rows.map(i => el('tr', {}, el('td', {}, t.column('lane').text(i)), el('td', { class: 'r' }, fixed(t.column('path_ns').num(i) / scale.by, scale.decimals)),
      el('td', { class: 'r dim' }, fixed(t.column('percent').num(i), 1)), el('td', { class: 'w' }, plainBar(t.column('path_ns').num(i) / most, '--path')))))));
}

function drawEvents(host: HTMLElement, app: App, t: Table): void {
  const part = el('div', { class: 'part' }, el('h3', {}, 'What lies on it most ', el('small', {}, 'by name')));
  host.append(part);
  new Grid(part, app, { id: 'onpath', rows: t.rows, searched: 'name', sort: 'on_path_ns:desc', shown: 8, name: i => t.column('name').text(i),
    columns: columnsOf(t, { name: { title: 'Name', narrow: true }, on_path_ns: { title: 'On path', narrow: true, sum: false }, count: { title: 'Events', sum: false }, slack_ns: { title: 'Least slack' } }) });
}

export const path: View = {
  id: 'path',
  title: 'Critical path',
  tables: ['path', 'path_lanes', 'path_events', 'window'],
  answer: sentence,
  draw(host, app) {
    const { answer } = app, lanes = answer.table('path_lanes'), events = answer.table('path_events');
    drawSegments(host, app, answer.table('path')!);
    const two = el('div', { class: 'two w part' });
    host.append(two);
    const left = el('div', {});
    two.append(left);
    if (events) drawEvents(left, app, events);
    if (lanes) two.append(drawLanes(lanes));
  },
};
