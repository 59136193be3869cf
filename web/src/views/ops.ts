// Which operator, shape or kernel holds the GPU's time.
import type { App, View } from '../app';
import { plainBar } from '../bars';
import { column, columnsOf, type GridColumn } from '../columns';
import type { Table } from '../data';
import { el } from '../dom';
import { count, percent } from '../format';
import { Grid } from '../grid';
import { groupBy, sum, type Group } from '../groups';
import { groupsOnPath, pathTimes } from '../onpath';

// The bar of a row is its GPU time against the longest; red in it: on the critical path.
function bar(time: (row: number) => number, onPath: (row: number) => number | null, rows: number): GridColumn {
  const longest = Math.max(1, ...Array.from({ length: rows }, (_, i) => time(i)));
  return {
    id: 'bar', title: '', help: 'GPU time; red: the part on the critical path', unit: 'plain', kind: 'bar', value: time, narrow: true,
    draw: row => plainBar(time(row) / longest, '--bar', Math.min(onPath(row) ?? 0, time(row)) / longest),
  };
}

const PATH_HELP = 'GPU time on the critical path; –: its kernels run for other rows, too';

// One of a row's numbers, summed over the group.
function summed(t: Table, groups: Group[], name: string, change: Partial<GridColumn> = {}): GridColumn {
  const sums = groups.map(g => sum(t, name, g.rows));
  return column(t.column(name), { value: i => sums[i]!, hidden: false, sum: true, ...change });
}

function groupColumns(t: Table, groups: Group[], app: App): GridColumn[] {
  const onPath = groupsOnPath(app.answer, t, groups), time = groups.map(g => sum(t, 'kernel_time_ns', g.rows));
  const of = (name: string, change: Partial<GridColumn>): GridColumn => column(t.column(name), { value: i => t.column(name).values[groups[i]!.first] ?? null, ...change });
  const path: GridColumn = { id: 'on_path_ns', title: 'On path', help: PATH_HELP, unit: 'nsec', kind: 'number', value: i => onPath[i] ?? null };
  return [of('name', { title: 'Operator', narrow: true }), of('category', { hidden: true }),
    summed(t, groups, 'count', { title: 'Calls' }), summed(t, groups, 'cpu_time_ns', { title: 'CPU' }),
    summed(t, groups, 'kernel_time_ns', { title: 'GPU', narrow: true }), summed(t, groups, 'percent', { title: '', sum: false, narrow: true }),
    bar(i => time[i]!, i => onPath[i] ?? null, groups.length), summed(t, groups, 'kernels', { title: 'Kernels' }),
    ...(app.answer.table('path_events') ? [path] : [])];
}

function byOperator(t: Table, app: App): { columns: GridColumn[]; rows: number } {
  const groups = groupBy(t, i => t.column('name').text(i));
  return { columns: groupColumns(t, groups, app), rows: groups.length };
}

// Rows as the table has them: one per operator and arguments.
function byShape(t: Table, app: App): { columns: GridColumn[]; rows: number } {
  const groups = Array.from({ length: t.rows }, (_, i) => ({ key: '', first: i, rows: [i] }));
  const columns = groupColumns(t, groups, app), known = new Set(columns.map(c => c.id));
  const rest = columnsOf(t).filter(c => !known.has(c.id)).map(c => ({ ...c, hidden: c.id !== 'input_dims', narrow: false }));
  return { columns: [columns[0]!, ...rest.filter(c => c.id === 'input_dims'), ...columns.slice(1), ...rest.filter(c => c.id !== 'input_dims')], rows: t.rows };
}

function byKernel(t: Table, app: App): { columns: GridColumn[]; rows: number } {
  const groups = groupBy(t, i => t.column('name').text(i)), times = pathTimes(app.answer);
  const owners = groups.map(g => [...new Set(g.rows.map(i => t.column('owner').text(i)))].join(', '));
  const time = groups.map(g => sum(t, 'total_ns', g.rows)), onPath = groups.map(g => (times ? times.get(g.key) ?? 0 : null));
  return {
    rows: groups.length,
    columns: [column(t.column('name'), { title: 'Kernel', value: i => groups[i]!.key, narrow: true }),
      column(t.column('owner'), { title: 'Operators', value: i => owners[i]! }), summed(t, groups, 'count', { title: 'Calls' }),
      summed(t, groups, 'total_ns', { title: 'GPU', narrow: true }), summed(t, groups, 'percent', { title: '', sum: false, narrow: true }),
      bar(i => time[i]!, i => onPath[i] ?? null, groups.length),
      ...(times ? [{ id: 'on_path_ns', title: 'On path', help: 'GPU time on the critical path', unit: 'nsec', kind: 'number', value: (i: number) => onPath[i]! } as GridColumn] : [])],
  };
}

interface Grouping { id: string; title: string; sort: string; make(): { columns: GridColumn[]; rows: number } }

function groupings(app: App): Grouping[] {
  const ops = app.answer.table('ops'), kernels = app.answer.table('kernels'), list: Grouping[] = [];
  if (ops) list.push({ id: 'op', title: 'Operators', sort: 'kernel_time_ns:desc', make: () => byOperator(ops, app) },
    { id: 'shape', title: 'With shapes', sort: 'kernel_time_ns:desc', make: () => byShape(ops, app) });
  if (ops && kernels) list.push({ id: 'kernel', title: 'Kernels', sort: 'total_ns:desc', make: () => byKernel(kernels, app) });
  return list;
}

function sentence(t: Table): string {
  const groups = groupBy(t, i => t.column('name').text(i)), total = sum(t, 'kernel_time_ns', groups.flatMap(g => g.rows));
  const times = groups.map(g => sum(t, 'kernel_time_ns', g.rows)).sort((a, b) => b - a), top = times.slice(0, 3);
  if (!total) return `${count(groups.length)} operators, none of which ran on the GPU.`;
  const share = percent(100 * top.reduce((a, b) => a + b, 0) / total, 0);
  return `${top.length === 1 ? 'One operator holds' : `${count(top.length)} operators hold`} ${share} of the GPU time, ${count(groups.length)} all of it.`;
}

export const ops: View = {
  id: 'ops',
  title: 'Operators',
  tables: ['ops'],
  answer(app) {
    const t = app.answer.table('ops');
    return t?.has('kernel_time_ns') && t.has('cpu_time_ns') && t.has('category') ? sentence(t) : null;
  },
  draw(host, app) {
    const all = groupings(app), body = el('div', {});
    const buttons = all.map(g => el('button', { class: 'btn', click: () => { app.address.set('ops.by', g.id); draw(); } }, g.title));
    const draw = (): void => {
      const g = all.find(x => x.id === app.address.get('ops.by')) ?? all[0]!, { columns, rows } = g.make();
      buttons.forEach((b, i) => b.setAttribute('aria-pressed', String(all[i] === g)));
      body.replaceChildren();
      new Grid(body, app, { id: g.id === 'op' ? 'ops' : `ops-${g.id}`, rows, columns, sort: g.sort, searched: 'name', name: i => String(columns[0]!.value(i)),
        tools: [el('span', { class: 'seg' }, ...buttons)] });
    };
    host.append(body);
    draw();
  },
};
