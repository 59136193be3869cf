// Marks of an axis: round steps, and labels that all have the decimals the step needs.
import { fixed } from '../../format';

export function step(span: number, most: number): number {
  const least = Math.max(span / Math.max(1, most), 1), power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map(k => k * power).find(v => v >= least * (1 - 1e-12))!;
}

export function ticks(from: number, to: number, most: number): number[] {
  const by = step(to - from, most), first = Math.ceil(from / by), marks: number[] = [];
  for (let k = first; k * by <= to; k++) marks.push(k * by);
  return marks;
}

export function tickText(ns: number, by: number): string {
  const [unit, size] = by >= 1e9 ? ['s', 1e9] as const : by >= 1e3 ? ['ms', 1e6] as const : ['µs', 1e3] as const;
  const decimals = Math.max(0, Math.ceil(-Math.log10(by / size) - 1e-9));
  return `${fixed(ns / size, decimals)}\u202f${unit}`;
}
