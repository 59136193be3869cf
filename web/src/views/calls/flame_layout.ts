// Which frames of a flame graph can be seen, and where: only those at least LEAST pixels wide are
// looked at, so that a tree of any size costs as much as the picture is large.
import { childrenOf, type CallTree } from './call_tree';

export const LEAST = 1.5;
export const MOST_ROWS = 200; // a canvas has limits; zooming shows what is deeper
const MOST_ABOVE = 12;

export interface Frame { node: number; row: number; x0: number; x1: number } // node n: the whole

// The zoomed node fills the width; what called it lies above, as wide.
export function frames(t: CallTree, total: Float64Array, zoom: number, width: number): Frame[] {
  const above: number[] = [];
  for (let i = zoom; i < t.n && above.length < MOST_ABOVE;) above.push(i = t.parent[i]! < 0 ? t.n : t.parent[i]!);
  if (zoom < t.n && above[above.length - 1] !== t.n) above.push(t.n);
  const found: Frame[] = above.reverse().map((node, row) => ({ node, row, x0: 0, x1: width }));
  const open: Frame[] = [{ node: zoom, row: found.length, x0: 0, x1: width }], perNs = width / Math.max(1, total[zoom]!);
  for (let f = open.pop(); f; f = open.pop()) {
    found.push(f);
    if (f.row + 1 >= MOST_ROWS) continue;
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
  let from = 0, past = all.length;
  while (from < past) { // the first that begins after the point
    const mid = (from + past) >>> 1, f = all[mid]!;
    if (f.row < row || (f.row === row && f.x0 <= x)) from = mid + 1;
    else past = mid;
  }
  const f = all[from - 1];
  return f && f.row === row && x < f.x1 ? f : undefined;
}
