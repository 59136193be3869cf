// The merged tree of two traces, as rows to show: what moved most first, and of each node the
// children that are equal or small in one row that has their sums, so that every level adds up.
import type { Table } from '../../data';

export interface Node { id: number; depth: number; kind: 'node' }
export interface Fold { parent: number; depth: number; kind: 'fold'; nodes: number[] }
export type Line = Node | Fold;

export const ROOT = -1; // above all roots of the tree
const FEW = 8, MORE = 50;

export class DiffTree {
  readonly rows: number;
  readonly before: Float64Array; readonly after: Float64Array; readonly delta: Float64Array;
  readonly open = new Set<number>([ROOT]);
  private readonly parent: Int32Array;
  private readonly side: Uint8Array;  // 0: both, 1: only before, 2: only after
  private readonly parts: Uint8Array; // something at or below it is on one side only
  private readonly children = new Map<number, number[]>();
  private readonly shown = new Map<number, number>(); // children to show before the fold

  constructor(t: Table) {
    const parent = t.column('parent'), status = t.column('status');
    this.rows = t.rows;
    this.delta = t.column('delta_ns').float64();
    this.parent = Int32Array.from({ length: t.rows }, (_, i) => (parent.missing(i) ? ROOT : parent.num(i)));
    this.side = Uint8Array.from({ length: t.rows }, (_, i) => (status.text(i) === 'only before' ? 1 : status.text(i) === 'only after' ? 2 : 0));
    this.after = this.time(t, 'after_ns', 'before_ns', 1);
    this.before = this.time(t, 'before_ns', 'after_ns', -1);
    this.parts = this.findParts();
    for (let i = 0; i < t.rows; i++) {
      const list = this.children.get(this.parent[i]!);
      if (list) list.push(i);
      else this.children.set(this.parent[i]!, [i]);
    }
    this.openParts();
  }
  // A node of one side may have work of the other below it: what it has, the change tells.
  private time(t: Table, name: string, other: string, sign: number): Float64Array {
    const here = t.column(name), there = t.column(other);
    return Float64Array.from({ length: t.rows }, (_, i) => (here.missing(i) ? there.num(i) + sign * this.delta[i]! : here.num(i)));
  }
  private findParts(): Uint8Array {
    const parts = Uint8Array.from(this.side, s => (s ? 1 : 0));
    for (let i = this.rows - 1; i >= 0; i--) if (parts[i] && this.parent[i]! >= 0) parts[this.parent[i]!] = 1; // parents come first
    return parts;
  }
  only(i: number): number {
    return this.side[i]!;
  }
  hasChildren(i: number): boolean {
    return this.children.has(i);
  }
  parentOf(i: number): number {
    return this.parent[i]!;
  }
  // What people look for first; ties as they ran.
  ranked(i: number): number[] {
    const list = this.children.get(i) ?? [];
    return list.slice().sort((a, b) => Math.abs(this.delta[b]!) - Math.abs(this.delta[a]!) || this.parts[b]! - this.parts[a]! || a - b);
  }
  // Opens down to the first node that only one side has, where most of the change is.
  private openParts(): void {
    let level = this.ranked(ROOT).slice(0, 2);
    for (let depth = 0; depth < 24 && level.length; depth++) {
      const next: number[] = [];
      for (const i of level) {
        if (this.side[i] || !this.parts[i]) continue;
        this.open.add(i);
        next.push(...this.ranked(i).slice(0, depth < 2 ? 2 : 1));
      }
      level = next;
    }
  }
  turn(i: number): void {
    if (!this.open.delete(i)) this.open.add(i);
  }
  more(i: number): void {
    this.shown.set(i, (this.shown.get(i) ?? FEW) + MORE);
  }
  sums(nodes: number[]): { before: number; after: number; delta: number } {
    const sum = (v: Float64Array): number => nodes.reduce((s, i) => s + v[i]!, 0);
    return { before: sum(this.before), after: sum(this.after), delta: sum(this.delta) };
  }
  roots(): number[] {
    return this.children.get(ROOT) ?? [];
  }
  // The rows in order, without recursion: traces nest as deep as they like.
  lines(): Line[] {
    const out: Line[] = [], stack: Line[] = [];
    const push = (i: number, depth: number): void => {
      const list = this.ranked(i), few = this.shown.get(i) ?? FEW, equal = list.findIndex(n => !this.delta[n] && !this.parts[n]);
      let n = Math.min(few, list.length);
      if (!this.shown.has(i) && equal >= 0) n = Math.min(n, Math.max(equal, this.delta[list[0]!] ? 0 : 1));
      if (list.length - n === 1) n++;
      if (n < list.length) stack.push({ kind: 'fold', parent: i, depth, nodes: list.slice(n) });
      for (let k = n - 1; k >= 0; k--) stack.push({ kind: 'node', id: list[k]!, depth });
    };
    push(ROOT, 1);
    for (let line = stack.pop(); line; line = stack.pop()) {
      out.push(line);
      if (line.kind === 'node' && this.open.has(line.id)) push(line.id, line.depth + 1);
    }
    return out;
  }
}
