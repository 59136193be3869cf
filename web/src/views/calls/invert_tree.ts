// The inverted tree: functions that hold the time, then who called them. Stacks are sorted by their
// own function, which gives the roots; a node is a range of stacks with a common beginning (from the
// end), and opening it sorts the range by the next caller. Nothing is made before it is opened.
import { nameAt, type CallTree } from './call_tree';

export interface InvertedNode {
  name: number; // into the tree's names
  begin: number; end: number; // its stacks
  total: number;
  parent: InvertedNode | null;
  children: InvertedNode[] | null; // null: not opened
}

export class Inverted {
  readonly roots: InvertedNode[];
  readonly total: number;
  private readonly t: CallTree; private readonly self: Float64Array;
  private readonly stack: Int32Array; // the node in which each stack ends
  private readonly deep: Int32Array;  // how far up its range has been opened

  constructor(t: CallTree, self: Float64Array) {
    [this.t, this.self] = [t, self];
    const n = self.reduce((k, v) => k + Number(v > 0), 0);
    this.stack = new Int32Array(n);
    for (let i = 0, k = 0; i < t.n; i++) if (self[i]! > 0) this.stack[k++] = i;
    this.deep = this.stack.slice();
    this.roots = this.split(0, n, null);
    this.total = this.roots.reduce((sum, r) => sum + r.total, 0);
  }
  // A stable counting sort of the range by the function at `deep`; stacks without one come first.
  private split(begin: number, end: number, parent: InvertedNode | null): InvertedNode[] {
    const { t, stack, deep } = this, of = new Map<number, number>();
    let at = begin;
    for (let k = begin; k < end; k++)
      if (deep[k]! < 0) at++;
      else of.set(t.name[deep[k]!]!, (of.get(t.name[deep[k]!]!) ?? 0) + 1);
    const children: InvertedNode[] = [], next = new Map<number, number>();
    for (const [name, n] of of) {
      children.push({ name, begin: at, end: at + n, total: 0, parent, children: null });
      next.set(name, at);
      at += n;
    }
    const oldStack = stack.slice(begin, end), oldDeep = deep.slice(begin, end);
    for (let k = 0, front = begin; k < oldStack.length; k++) {
      const name = oldDeep[k]! < 0 ? -1 : t.name[oldDeep[k]!]!, to = name < 0 ? front++ : next.get(name)!;
      if (name >= 0) next.set(name, to + 1);
      stack[to] = oldStack[k]!;
      deep[to] = oldDeep[k]!;
    }
    for (const c of children) for (let k = c.begin; k < c.end; k++) c.total += this.self[stack[k]!]!;
    return children.sort((a, b) => b.total - a.total || (t.names[a.name]! < t.names[b.name]! ? -1 : 1));
  }
  open(node: InvertedNode): InvertedNode[] {
    if (node.children) return node.children;
    for (let k = node.begin; k < node.end; k++) this.deep[k] = this.t.parent[this.deep[k]!]!;
    return (node.children = this.split(node.begin, node.end, node));
  }
  // Whether anybody called it, without opening it.
  called(node: InvertedNode): boolean {
    if (node.children) return node.children.length > 0;
    for (let k = node.begin; k < node.end; k++) if (this.t.parent[this.deep[k]!]! >= 0) return true;
    return false;
  }
  calls(node: InvertedNode): number {
    let sum = 0;
    for (let k = node.begin; k < node.end; k++) sum += this.t.calls[this.stack[k]!]!;
    return sum;
  }
  nameOf(node: InvertedNode): string {
    return this.t.names[node.name]!;
  }
}

// The function with the most time of its own.
export function heaviest(t: CallTree, self: Float64Array): { name: string; self: number } | null {
  const sum = new Float64Array(t.names.length);
  let best = -1;
  for (let i = 0; i < t.n; i++) {
    sum[t.name[i]!]! += self[i]!;
    if (best < 0 || sum[t.name[i]!]! > sum[t.name[best]!]!) best = i;
  }
  return best < 0 || !sum[t.name[best]!] ? null : { name: nameAt(t, best), self: sum[t.name[best]!]! };
}
