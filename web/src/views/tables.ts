// Every table of the answer that no other view shows, as it is.
import type { App, View } from '../app';
import { columnsOf, type GridColumn } from '../columns';
import type { Table } from '../data';
import { el } from '../dom';
import { counted } from '../format';
import { Grid } from '../grid';
import { views } from './all';

function others(app: App): Table[] {
  const shown = new Set(views.filter(v => v !== tables && v.answer(app) !== null).flatMap(v => v.tables ?? []));
  return app.answer.tables.filter(t => t.rows > 0 && !t.detail && !shown.has(t.name));
}

// Rows for programs are left out; others may have a name for people.
function forPeople(t: Table): { columns: GridColumn[]; rows: number } {
  const labels = t.labels, columns = columnsOf(t);
  if (!labels) return { columns, rows: t.rows };
  const rows = Array.from({ length: t.rows }, (_, i) => i).filter(i => labels[i] !== ''), first = columns.findIndex(c => c.kind === 'text');
  return {
    rows: rows.length,
    columns: columns.map((c, k) => ({ ...c, sum: false, value: i => (k === first ? labels[rows[i]!] : null) ?? c.value(rows[i]!) })),
  };
}

function drawTable(host: HTMLElement, app: App, t: Table): void {
  const { columns, rows } = forPeople(t), first = t.columns.find(c => c.type === 'str');
  const part = el('div', { class: 'part' }, el('h3', {}, t.name.replace(/_/g, ' '), ' ', el('small', {}, counted(rows, 'row'))));
  host.append(part);
  new Grid(part, app, { id: t.name, rows, columns, ...(first ? { searched: first.name } : {}) });
}

export const tables: View = {
  id: 'tables',
  title: 'Tables',
  answer: app => (others(app).length ? '' : null),
  draw(host, app) {
    for (const t of others(app)) drawTable(host, app, t);
  },
};
