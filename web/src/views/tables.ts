// Every table of the answer as it is: for answers without a view of their own.
import type { App, View } from '../app';
import { DETAIL, type Column, type Table } from '../data';
import { el } from '../dom';
import { fixed, scaleOf, type Scale } from '../format';

function cell(c: Column, row: number, scale: Scale): HTMLElement {
  if (c.type === 'str' || c.type === 'bool') return el('td', { class: 'n', title: c.text(row) }, c.text(row));
  return el('td', { class: 'r' }, c.missing(row) ? '' : fixed(c.num(row) / scale.by, scale.decimals));
}

function drawTable(t: Table): HTMLElement {
  const columns = t.columns.filter(c => !(c.flags & DETAIL));
  const scales = columns.map(c => scaleOf(c.unit, c.type === 'i64' ? Math.max(0, ...c.values.slice(0, 1000).map(Number)) : 0));
  const head = el('tr', {}, ...columns.map((c, i) => el('th', { title: c.help }, c.title, ' ', scales[i]!.unit)));
  const rows = Array.from({ length: Math.min(t.rows, 50) }, (_, row) => el('tr', {}, ...columns.map((c, i) => cell(c, row, scales[i]!))));
  return el('div', {}, el('h3', {}, t.name), el('table', {}, el('thead', {}, head), el('tbody', {}, ...rows)));
}

export const tables: View = {
  id: 'tables',
  title: 'Tables',
  answer: (app: App) => (app.answer.tables.some(t => t.rows > 0) ? `${app.answer.tables.length} tables.` : null),
  draw(host, app) {
    for (const t of app.answer.tables) if (!t.detail) host.append(drawTable(t));
  },
};
