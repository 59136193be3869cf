// The table `stacks`: a tree of calls, parents before children, with what each node holds itself.
import type { Answer } from '../../data';

export type Weight = 'cpu' | 'gpu';

export interface CallTree {
  n: number;
  parent: Int32Array; // -1: a root
  names: string[]; name: Int32Array; // of each node: into names
  calls: Float64Array;
  cpu: Float64Array; gpu: Float64Array; wait: Float64Array; // of its own, ns; cpu has the waits in it
  first: Int32Array; kids: Int32Array; // children of i: kids[first[i]] to kids[first[i + 1]]; of the roots: i = n
}

function link(parent: Int32Array): [first: Int32Array, kids: Int32Array] {
  const n = parent.length, first = new Int32Array(n + 2), kids = new Int32Array(n), slot = (i: number): number => (parent[i]! < 0 ? n : parent[i]!);
  for (let i = 0; i < n; i++) first[slot(i) + 1]!++;
  for (let i = 0; i <= n; i++) first[i + 1]! += first[i]!;
  const next = first.slice();
  for (let i = 0; i < n; i++) kids[next[slot(i)]!++] = i;
  return [first, kids];
}

export function makeCallTree(parent: Int32Array, names: string[], name: Int32Array, own: { cpu: Float64Array; gpu: Float64Array; wait: Float64Array; calls: Float64Array }): CallTree {
  const [first, kids] = link(parent);
  return { n: parent.length, parent, names, name, ...own, first, kids };
}

export function readCallTree(answer: Answer): CallTree | null {
  const t = answer.table('stacks');
  if (!t) return null;
  const { texts, code } = t.column('name').coded(), numbers = (c: string): Float64Array => t.column(c).float64();
  const rowOf = new Map(Array.from(t.column('id').float64(), (id, row) => [id, row])); // rows may have been put in order since
  return makeCallTree(Int32Array.from(t.column('parent').values, v => (v === null ? -1 : rowOf.get(Number(v))!)), texts, code,
    { cpu: numbers('cpu_self_ns'), gpu: numbers('gpu_self_ns'), wait: numbers('wait_self_ns'), calls: numbers('count') });
}

export function selfOf(t: CallTree, weight: Weight, waits: boolean): Float64Array {
  if (weight === 'gpu') return t.gpu;
  return waits ? t.cpu : t.cpu.map((v, i) => v - t.wait[i]!);
}

// Of each node and all below it; the last one is the sum of all.
export function totalsOf(t: CallTree, self: Float64Array): Float64Array {
  const total = new Float64Array(t.n + 1);
  total.set(self);
  for (let i = t.n - 1; i >= 0; i--) total[t.parent[i]! < 0 ? t.n : t.parent[i]!]! += total[i]!;
  return total;
}

export const nameAt = (t: CallTree, i: number): string => t.names[t.name[i]!] ?? '';

// By weight, then name, so that equal weights do not jump about. `i` = n: the roots.
export function childrenOf(t: CallTree, i: number, total: Float64Array): number[] {
  return Array.from(t.kids.subarray(t.first[i]!, t.first[i + 1]!)).filter(k => total[k]! > 0)
    .sort((a, b) => total[b]! - total[a]! || (nameAt(t, a) < nameAt(t, b) ? -1 : 1));
}

// The time under the topmost nodes that match, so that nothing counts twice.
export function matching(t: CallTree, total: Float64Array, match: Uint8Array): number {
  const inside = new Uint8Array(t.n);
  let sum = 0;
  for (let i = 0; i < t.n; i++) {
    const above = t.parent[i]! >= 0 && inside[t.parent[i]!];
    if (!above && match[t.name[i]!]) sum += total[i]!;
    inside[i] = Number(above || match[t.name[i]!]);
  }
  return sum;
}
