// Numbers and names as people read them. Values in tables are raw (ns, bytes); nothing here changes them.
import type { Unit } from './data';

const MINUS = '\u2212', GAP = '\u202f';

export function fixed(v: number, decimals: number): string {
  const text = Math.abs(v).toFixed(decimals).replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',');
  return v < 0 && Number(text.replace(/,/g, '')) !== 0 ? MINUS + text : text;
}

export const count = (v: number): string => fixed(v, 0);
export const counted = (v: number, what: string): string => `${count(v)} ${what}${v === 1 ? '' : 's'}`;
export const percent = (v: number, decimals = 1): string => `${fixed(v, decimals)}${GAP}%`;
export const signed = (v: number, text: (v: number) => string): string => (v > 0 ? '+' : '') + text(v);

// A duration with the unit that fits it: for sentences, facts and tooltips.
export function duration(ns: number): string {
  const size = Math.abs(ns);
  if (size < 1e3) return `${fixed(ns, 0)}${GAP}ns`;
  if (size < 1e6) return `${fixed(ns / 1e3, size < 1e4 ? 2 : 1)}${GAP}µs`;
  if (size < 1e9) return `${fixed(ns / 1e6, size < 1e7 ? 2 : 1)}${GAP}ms`;
  return `${fixed(ns / 1e9, 2)}${GAP}s`;
}

export function bytes(v: number): string {
  for (const [size, unit] of [[1e12, 'TB'], [1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB']] as const)
    if (Math.abs(v) >= size) return `${fixed(v / size, 1)}${GAP}${unit}`;
  return `${fixed(v, 0)}${GAP}B`;
}

// One scale for a whole column: what its values are divided by, the unit and the decimals.
export interface Scale { by: number; unit: string; decimals: number }

export function scaleOf(unit: Unit, largest: number): Scale {
  if (unit === 'nsec')
    return largest >= 1e10 ? { by: 1e9, unit: 's', decimals: 2 }
      : largest >= 1e6 ? { by: 1e6, unit: 'ms', decimals: largest < 1e8 ? 2 : 1 }
      : { by: 1e3, unit: 'µs', decimals: 2 };
  if (unit === 'bytes')
    return largest >= 1e9 ? { by: 1e9, unit: 'GB', decimals: 2 } : { by: 1e6, unit: 'MB', decimals: 2 };
  if (unit === 'percent') return { by: 1, unit: '%', decimals: 1 };
  return { by: 1, unit: '', decimals: 0 };
}

// The views, as tables name them.
const VIEWS: Record<string, string> = {
  overview: 'Overview', breakdown: 'Breakdown', steps: 'Steps', timeline: 'Timeline', path: 'Critical path', whatif: 'What if',
  ops: 'Operators', kernels: 'Kernels', idle: 'GPU idle', tree: 'Call tree', roofline: 'Roofline',
};
export const viewTitle = (id: string): string => VIEWS[id] ?? (id && id[0]!.toUpperCase() + id.slice(1));

// For display only: what every name in C++ begins with tells nothing.
export function shortName(name: string): string {
  return name.replace(/^void /, '').replace(/\(anonymous namespace\)::/g, '').replace(/\bat::native::/g, '');
}

// Shapes without their brackets: "[[16, 64], [], [64]]" is "16,64  64". Scalars have none.
export function shapes(text: string): string {
  if (!/^\[\[[\d, \[\]]*\]\]$/.test(text)) return text;
  return text.slice(1, -1).split(/\](?:, )?/).map(s => s.replace(/[\[ ]/g, '')).filter(Boolean).join('\u2002');
}

// A title as it stands within a sentence: "compute kernels", but "CPU operators".
export function within(title: string): string {
  return /^[A-Z][A-Z]/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);
}
