// Which frames of a flame graph can be seen, and where: only those at least LEAST pixels wide are
// looked at, so that a tree of any size costs as much as the picture is large.
import { childrenOf, type CallTree } from './call_tree';

export const LEAST = 1.5;

export interface Frame { node: number; row: number; x0: number; x1: number } // node n: the whole

// The zoomed node fills the width; what called it lies above, as wide.
export function frames(t: CallTree, total: Float64Array, zoom: number, width: number): Frame[] {
  const above: number[] = [];
  for (let i = zoom; i < t.n; i = t.parent[i]! < 0 ? t.n : t.parent[i]!) above.unshift(i);
  if (zoom < t.n) above.pop();
  const found: Frame[] = [t.n, ...above].filter(i => i !== zoom).map((node, row) => ({ node, row, x0: 0, x1: width }));
  const open: Frame[] = [{ node: zoom, row: found.length, x0: 0, x1: width }], perNs = width / Math.max(1, total[zoom]!);
  for (let f = open.pop(); f; f = open.pop()) {
    found.push(f);
    let x = f.x0;
    for (const kid of childrenOf(t, f.node, total)) {
      const wide = total[kid]! * perNs;
      if (wide < LEAST) break; // the rest are narrower
      open.push({ node: kid, row: f.row + 1, x0: x, x1: x + wide });
      x += wide;
    }
  }
  return found.sort((a, b) => a.row - b.row || a.x0 - b.x0);
}

export function frameAt(all: Frame[], row: number, x: number): Frame | undefined {
  return all.find(f => f.row === row && x >= f.x0 && x < f.x1);
}
