// Tables as files: raw values, the unit in the column's name (RFC 4180).
import type { Cell } from './data';
import { el } from './dom';

// A row is a line: what would break or hide it is spelt out, as in the tool's own CSV.
const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\u2028': '\\u2028', '\u2029': '\\u2029' };

function spelt(c: string): string {
  return SHORT[c] ?? `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

function field(v: Cell, real = false): string {
  if (real && Number.isInteger(v) && Math.abs(Number(v)) < 1e15) return `${v}.0`;
  const text = v === null ? '' : String(v).replace(/[\0-\x1f\x7f-\x9f\u2028\u2029]/g, spelt);
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

// `real`: of a column of numbers with decimals, as which 5 is 5.0.
export function csv(columns: { id: string; real?: boolean }[], rows: Iterable<Cell[]>): string {
  const lines = [columns.map(c => field(c.id)).join(',')];
  for (const row of rows) lines.push(row.map((v, k) => field(v, columns[k]!.real)).join(','));
  return lines.join('\n') + '\n';
}

export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = el('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
