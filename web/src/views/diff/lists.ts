// What moved most: operators, places where the traces part, kernels.
import type { App, View } from '../../app';
import { deltaBar } from '../../bars';
import { columnsOf, largestOf, type GridColumn } from '../../columns';
import type { Table } from '../../data';
import { count, duration, shortName, signed } from '../../format';
import { Grid } from '../../grid';

// After the change in figures, the change as a bar.
function withBar(t: Table, columns: GridColumn[]): GridColumn[] {
  const delta = t.column('delta_ns'), largest = largestOf(t.rows, i => delta.values[i] ?? null) || 1;
  const bar: GridColumn = { id: 'bar', title: '', help: 'The change; left: faster, right: slower', unit: 'plain', kind: 'bar',
    value: i => delta.num(i), draw: i => deltaBar(delta.num(i) / largest), narrow: true };
  const at = columns.findIndex(c => c.id === 'delta_ns') + 1;
  return [...columns.slice(0, at), bar, ...columns.slice(at)];
}

function list(id: string, title: string, table: string, searched: string, sentence: (t: Table) => string, changes: Record<string, Partial<GridColumn>>): View {
  return {
    id, title, tables: [table],
    answer(app) {
      const t = app.answer.table(table);
      return t ? sentence(t) : null;
    },
    draw(host, app: App) {
      const t = app.answer.table(table)!, columns = columnsOf(t, { [searched]: { narrow: true }, delta_ns: { title: 'Δ', narrow: true }, before_ns: { title: 'Before' }, after_ns: { title: 'After' }, ...changes });
      new Grid(host, app, { id: table, rows: t.rows, columns: withBar(t, columns), searched, name: i => t.column(searched).text(i) });
    },
  };
}

// The row that moved most, in either direction.
function most(t: Table): number {
  const delta = t.column('delta_ns').float64();
  let best = 0;
  for (let i = 1; i < delta.length; i++) if (Math.abs(delta[i]!) > Math.abs(delta[best]!)) best = i;
  return best;
}

function movedMost(t: Table, what: string): string {
  const i = most(t), delta = t.column('delta_ns').num(i);
  if (!delta) return `No ${what} changed.`;
  return `${shortName(t.column('name').text(i)).replace(/[<(].*/s, '').slice(0, 60)} moved most: ${signed(delta, duration)}.`;
}

export const diffOps = list('diff-ops', 'Operators', 'diff_ops', 'name', t => movedMost(t, 'operator'), { name: { title: 'Operator', narrow: true }, kind: { hidden: true } });
export const points = list('diff-points', 'Points of difference', 'diff_points', 'point',
  t => `The traces part in ${count(t.rows)} ${t.rows === 1 ? 'place' : 'places'}.`, {});
export const diffKernels = list('diff-kernels', 'Kernels', 'diff_kernels', 'name', t => movedMost(t, 'kernel'), { name: { title: 'Kernel', narrow: true } });
