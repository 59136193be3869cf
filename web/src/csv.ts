// Tables as files: raw values, the unit in the column's name (RFC 4180).
import type { Cell } from './data';
import { el } from './dom';

function field(v: Cell): string {
  const text = v === null ? '' : String(v);
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

export function csv(names: string[], rows: Iterable<Cell[]>): string {
  const lines = [names.map(field).join(',')];
  for (const row of rows) lines.push(row.map(field).join(','));
  return lines.join('\n') + '\n';
}

export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = el('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
