// Bars on shelves: sorted by shelf, then start; those of one shelf do not overlap. A shelf is drawn
// pixel column by pixel column: what is narrower than a pixel is merged with its neighbours, and a
// search, not a walk, finds where the next column begins. So a frame costs as much as the canvas is
// wide, however many bars there are.

export interface Bars {
  start: Float64Array;
  end: Float64Array;
  shelf: Int32Array; // where each shelf begins; one more at the end
  reach: Float64Array; // when the last of all bars up to this one of the shelf ends
  sum: Float64Array; // running sum of busy time; one more than bars
}

export function makeBars(start: Float64Array, end: Float64Array, shelf: Int32Array, busy: (i: number) => number): Bars {
  const n = start.length, reach = new Float64Array(n), sum = new Float64Array(n + 1);
  for (let s = 0; s + 1 < shelf.length; s++) {
    let last = -Infinity;
    for (let i = shelf[s]!; i < shelf[s + 1]!; i++) {
      last = Math.max(last, end[i]!);
      reach[i] = last;
      sum[i + 1] = sum[i]! + busy(i);
    }
  }
  return { start, end, shelf, reach, sum };
}

// The first of [from, past) whose value is at least v.
export function lowerBound(a: Float64Array, v: number, from: number, past: number): number {
  while (from < past) {
    const mid = (from + past) >>> 1;
    if (a[mid]! < v) from = mid + 1;
    else past = mid;
  }
  return from;
}

// The same, when the answer is likely near `from`.
function gallop(a: Float64Array, v: number, from: number, past: number): number {
  let step = 1;
  while (from + step < past && a[from + step]! < v) step *= 2;
  return lowerBound(a, v, from + (step >> 1), Math.min(past, from + step));
}

// Bars of a shelf that reach into [t0, t1).
export function visible(b: Bars, shelf: number, t0: number, t1: number): [from: number, past: number] {
  const first = b.shelf[shelf]!, end = b.shelf[shelf + 1]!;
  let from = lowerBound(b.reach, t0, first, end);
  if (from < end && b.reach[from] === t0) from++;
  return [from, lowerBound(b.start, t1, from, end)];
}

// The bar of a shelf that covers t, give or take `near`; -1: none.
export function barAt(b: Bars, shelf: number, t: number, near: number): number {
  const [from, past] = visible(b, shelf, t - near, t + near);
  let best = -1, gap = Infinity;
  for (let i = Math.max(from, past - 64); i < past; i++) {
    const away = Math.max(b.start[i]! - t, t - b.end[i]!, 0);
    if (away <= near && away <= gap) [best, gap] = [i, away];
  }
  return best;
}

// Pixel columns of bars [from, past): emit(x0, x1, i, j) for one bar as it is (j = i + 1), or for
// bars i to j in one pixel. `perNs`: pixels per ns; x is relative to the time t0.
export function columns(b: Bars, from: number, past: number, t0: number, perNs: number,
  emit: (x0: number, x1: number, i: number, j: number) => void): void {
  const { start, end } = b;
  for (let i = from; i < past;) {
    const x0 = (start[i]! - t0) * perNs, x1 = (end[i]! - t0) * perNs;
    if (x1 - x0 >= 1) {
      emit(x0, x1, i, ++i);
      continue;
    }
    const column = Math.floor(x0);
    let j = gallop(start, t0 + (column + 1) / perNs, i + 1, past);
    if (j - 1 > i && (end[j - 1]! - start[j - 1]!) * perNs >= 1) j--; // the last one may be wide
    emit(column, column + 1, i, j);
    i = j;
  }
}

// For every run of bars its longest one, without looking at each: blocks of 16, of 256, and so on.
export class Longest {
  private readonly length: (i: number) => number;
  private readonly levels: Int32Array[] = [];

  constructor(b: Bars) {
    this.length = i => b.end[i]! - b.start[i]!;
    for (let n = b.start.length, size = n; size > 16;) {
      size = Math.ceil(size / 16);
      const level = new Int32Array(size), k = this.levels.length;
      for (let block = 0; block < size; block++) level[block] = this.scan(k, block * 16, Math.min(block * 16 + 16, k ? this.levels[k - 1]!.length : n));
      this.levels.push(level);
    }
  }
  private scan(level: number, from: number, past: number): number {
    let best = -1, most = -1;
    for (let k = from; k < past; k++) {
      const i = level ? this.levels[level - 1]![k]! : k, length = this.length(i);
      if (length > most) [best, most] = [i, length];
    }
    return best;
  }
  // The longest of bars [from, past), the first of equals.
  of(from: number, past: number): number {
    const found: number[] = [];
    for (let level = 0; from < past; level++, from /= 16, past /= 16) {
      if (past - from < 32 || level === this.levels.length) {
        found.push(this.scan(level, from, past));
        break;
      }
      const inner = Math.ceil(from / 16) * 16, outer = Math.floor(past / 16) * 16;
      if (inner > from) found.push(this.scan(level, from, inner));
      if (past > outer) found.push(this.scan(level, outer, past));
      [from, past] = [inner, outer];
    }
    return found.reduce((a, c) => (this.length(c) > this.length(a) || (this.length(c) === this.length(a) && c < a) ? c : a));
  }
}
