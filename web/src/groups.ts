// Rows of a table that agree in a key, as one row each: sums of what adds up.
import type { Table } from './data';

export interface Group { key: string; first: number; rows: number[] }

export function groupBy(t: Table, key: (row: number) => string): Group[] {
  const groups = new Map<string, Group>();
  for (let i = 0; i < t.rows; i++) {
    const k = key(i), g = groups.get(k);
    if (g) g.rows.push(i);
    else groups.set(k, { key: k, first: i, rows: [i] });
  }
  return [...groups.values()];
}

export function sum(t: Table, column: string, rows: number[]): number {
  const c = t.column(column);
  return rows.reduce((s, i) => s + c.num(i), 0);
}
