// The columns of a grid: what a value is and how it is shown. Rows are numbers from 0.
import { DELTA, DETAIL, DIMS, PICTURE, SUM, type Cell, type Column, type Table, type Unit } from './data';
import { el } from './dom';
import { fixed, scaleOf, shapes, shortName, signed, type Scale } from './format';

export interface GridColumn {
  id: string;   // of the table's column: what the CSV calls it
  title: string;
  help: string;
  unit: Unit;
  kind: 'text' | 'number' | 'bool' | 'bar';
  value(row: number): Cell;
  decimals?: number | undefined; // of plain numbers
  signed?: boolean;
  dims?: boolean;                // shapes, shown without their brackets
  real?: boolean;                // has decimals
  sum?: boolean;                 // has a sum below
  hidden?: boolean;              // until it is chosen
  narrow?: boolean;              // stays on a narrow screen
  width?: number;
  draw?(row: number): Node;      // instead of the value
}

// A plain number has no unit that would say how exact it is.
function plainDecimals(c: Column): number {
  if (c.type !== 'f64' || c.unit === 'nsec' || c.unit === 'bytes' || c.unit === 'percent') return 0;
  const largest = largestOf(c.values.length, i => c.values[i] ?? null);
  return largest >= 1000 ? 0 : largest >= 10 ? 1 : 3;
}

// Heads begin as sentences do; units and symbols stay as they are.
const headOf = (title: string): string => (/^[a-z]{2,}([ _].*)?$/.test(title) && !/^tflop/.test(title) ? title[0]!.toUpperCase() + title.slice(1) : title);

export function column(c: Column, change: Partial<GridColumn> = {}): GridColumn {
  const text = c.type === 'str', values = c.values;
  return {
    id: c.name, title: headOf(c.title) || (c.unit === 'percent' ? '' : headOf(c.name)), help: c.help, unit: c.unit, kind: text ? 'text' : c.type === 'bool' ? 'bool' : 'number',
    value: row => values[row] ?? null, decimals: plainDecimals(c), real: c.type === 'f64', signed: !!(c.flags & DELTA), dims: !!(c.flags & DIMS), sum: !!(c.flags & SUM),
    hidden: !!(c.flags & DETAIL), ...change,
  };
}

// Pictures are for a terminal: the page draws its own.
export function columnsOf(t: Table, changes: Record<string, Partial<GridColumn>> = {}): GridColumn[] {
  const columns = t.columns.filter(c => !(c.flags & PICTURE)).map(c => column(c, changes[c.name]));
  if (!columns.some(c => c.narrow)) for (const c of columns.filter(c => !c.hidden).slice(0, 3)) c.narrow = true;
  return columns;
}

export function largestOf(rows: number, value: (row: number) => Cell): number {
  let largest = 0;
  for (let i = 0; i < rows; i++) largest = Math.max(largest, Math.abs(Number(value(i) ?? 0)));
  return largest;
}

export function columnScale(c: GridColumn, rows: number): Scale {
  const scale = scaleOf(c.unit, largestOf(rows, c.value));
  return c.unit === 'plain' || c.unit === 'count' ? { ...scale, decimals: c.decimals ?? 0 } : scale;
}

export function numberText(c: GridColumn, scale: Scale, v: Cell): string {
  if (v === null) return '';
  const text = (n: number): string => fixed(n / scale.by, scale.decimals);
  return c.signed ? signed(Number(v), text) : text(Number(v));
}

// Text is text: nothing of a trace is ever markup.
export function cellNode(c: GridColumn, scale: Scale, row: number): Node {
  if (c.draw) return c.draw(row);
  const v = c.value(row);
  if (v === null) return el('span', { class: 'dim' }, c.kind === 'text' ? '' : '–');
  if (c.kind === 'text') return el('span', { title: String(v) }, c.dims ? shapes(String(v)) : shortName(String(v)));
  if (c.kind === 'bool') return document.createTextNode(v ? 'yes' : 'no');
  const text = numberText(c, scale, v);
  if (!c.signed || !Number(v)) return document.createTextNode(text);
  return el('span', { class: Number(v) > 0 ? 'pos' : 'neg' }, text);
}

// Missing values come last, whichever way the rest is sorted.
export function compare(c: GridColumn, a: number, b: number, dir: 'asc' | 'desc'): number {
  const x = c.value(a), y = c.value(b), last = dir === 'asc' ? 1 : -1;
  if (x === null || y === null) return x === y ? last * (a - b) : x === null ? last : -last;
  const order = c.kind === 'text' ? (x < y ? -1 : x > y ? 1 : 0) : Number(x) - Number(y);
  return order || last * (a - b);
}
