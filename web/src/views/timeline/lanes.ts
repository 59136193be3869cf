// The tables picture_lanes and picture_events as arrays, and where on them the critical path runs.
import { classOf, type Class } from '../../classes';
import type { Answer, Table } from '../../data';
import { makeBars, lowerBound, type Bars } from './spans';

export type LaneKind = 'path' | 'thread' | 'stream' | 'annotation';

export interface Lane {
  name: string; title: string; kind: LaneKind;
  shelf: number; depth: number; // its shelves: as many as its depth
  busy: number; onPath: number;
}

export interface Lanes {
  lane: Lane[];
  laneOf: Int32Array; // of each shelf
  bars: Bars;
  red: Bars; // the critical path's stretches, on the shelf of what runs in them
  names: string[]; name: Int32Array; // of each bar: into names, or -1
  classes: string[]; look: Class[]; cls: Uint8Array; // of each bar: into classes
  count: Float64Array; onPath: Float64Array;
  launch: Int32Array; // the bar that launched it, or -1
  start: number; end: number;
  merged: boolean; // some bars stand for several events
}

function lanesOf(t: Table): Lane[] {
  const col = (name: string) => t.column(name);
  let shelf = 0;
  return Array.from({ length: t.rows }, (_, i) => {
    const depth = Math.max(1, col('depth').num(i)), of = [col('process').text(i), t.has('thread_name') ? col('thread_name').text(i) : ''];
    const lane: Lane = {
      name: col('name').text(i), title: [col('name').text(i), ...of].filter(Boolean).join(', '),
      kind: col('kind').text(i) as LaneKind, shelf, depth, busy: col('busy_ns').num(i), onPath: 0,
    };
    shelf += depth;
    return lane;
  });
}

function shelvesOf(lane: Lane[], laneAt: Float64Array, depth: Float64Array): Int32Array {
  const shelves = lane.reduce((n, l) => n + l.depth, 0), begin = new Int32Array(shelves + 1);
  for (let i = 0; i < laneAt.length; i++) begin[lane[laneAt[i]!]!.shelf + depth[i]! + 1]!++;
  for (let s = 0; s < shelves; s++) begin[s + 1]! += begin[s]!;
  return begin;
}

interface Stretch { shelf: number; start: number; end: number }

// The deepest shelf of a lane on which something runs at t; stretches come in order of time, so a
// cursor for each shelf only moves forward.
function deepest(b: Bars, lane: Lane, t: number, cursor: Int32Array): number {
  let found = lane.shelf;
  for (let s = lane.shelf; s < lane.shelf + lane.depth; s++) {
    const past = b.shelf[s + 1]!;
    while (cursor[s]! < past && b.reach[cursor[s]!]! <= t) cursor[s]!++;
    if (cursor[s]! < past && b.start[cursor[s]!]! <= t) found = s;
  }
  return found;
}

function stretches(path: Table | undefined, lane: Lane[], b: Bars): Stretch[] {
  if (!path) return [];
  const start = path.column('start_ns').float64(), dur = path.column('dur_ns').float64(), on = path.column('lane').coded();
  const laneOf = on.texts.map(name => lane.find(l => l.kind !== 'path' && l.kind !== 'annotation' && l.name === name));
  const cursor = b.shelf.slice(), found: Stretch[] = [];
  for (let i = 0; i < path.rows; i++) {
    const l = on.code[i]! < 0 ? undefined : laneOf[on.code[i]!];
    if (!l) continue;
    l.onPath += dur[i]!;
    found.push({ shelf: deepest(b, l, start[i]! + dur[i]! / 2, cursor), start: start[i]!, end: start[i]! + dur[i]! });
  }
  return found;
}

function redBars(found: Stretch[], shelves: number): Bars {
  const begin = new Int32Array(shelves + 1), at = new Int32Array(shelves + 1);
  for (const f of found) begin[f.shelf + 1]!++;
  for (let s = 0; s < shelves; s++) begin[s + 1]! += begin[s]!;
  at.set(begin);
  const start = new Float64Array(found.length), end = new Float64Array(found.length);
  for (const f of found) {
    const i = at[f.shelf]!++;
    start[i] = f.start;
    end[i] = f.end;
  }
  return makeBars(start, end, begin, i => end[i]! - start[i]!);
}

function ends(start: Float64Array, end: Float64Array): { start: number; end: number } {
  let from = Infinity, to = -Infinity;
  for (let i = 0; i < start.length; i++) {
    from = Math.min(from, start[i]!);
    to = Math.max(to, end[i]!);
  }
  return { start: from, end: to };
}

// A tile has the lanes, the path and the ends of the `whole` that it is a part of.
export function readLanes(answer: Answer, whole?: Lanes): Lanes | null {
  const lanes = answer.table('picture_lanes'), t = answer.table('picture_events');
  if (!lanes || !t) return null;
  const lane = whole?.lane ?? lanesOf(lanes), start = t.column('start_ns').float64(), dur = t.column('dur_ns').float64();
  const gaps = t.has('gaps_ns') ? t.column('gaps_ns').float64() : new Float64Array(t.rows);
  const shelf = shelvesOf(lane, t.column('lane').float64(), t.column('depth').float64()), end = new Float64Array(t.rows);
  for (let i = 0; i < t.rows; i++) end[i] = start[i]! + dur[i]!;
  const bars = makeBars(start, end, shelf, i => dur[i]! - gaps[i]!);
  const name = t.column('name').coded(), cls = t.column('class').coded(), count = t.column('count').float64();
  const laneOf = new Int32Array(shelf.length - 1);
  lane.forEach((l, k) => laneOf.fill(k, l.shelf, l.shelf + l.depth));
  return {
    lane, laneOf, bars, red: whole?.red ?? redBars(stretches(answer.table('path'), lane, bars), laneOf.length),
    names: name.texts, name: name.code, classes: cls.texts, look: cls.texts.map(classOf), cls: new Uint8Array(cls.code), count,
    onPath: t.column('on_path_ns').float64(), launch: t.column('launch').rows(),
    ...(whole ? { start: whole.start, end: whole.end } : ends(start, end)), merged: count.some(c => c > 1),
  };
}

export function shelfOf(l: Lanes, bar: number): number {
  let lo = 0, hi = l.bars.shelf.length - 1;
  while (hi - lo > 1) {
    const mid = (lo + hi) >>> 1;
    if (l.bars.shelf[mid]! <= bar) lo = mid;
    else hi = mid;
  }
  return lo;
}

export const nameOf = (l: Lanes, bar: number): string => (l.name[bar]! < 0 ? '(nothing recorded)' : l.names[l.name[bar]!]!);
export const laneOfBar = (l: Lanes, bar: number): Lane => l.lane[l.laneOf[shelfOf(l, bar)]!]!;

// How much of a bar lies on the critical path's stretches of its shelf.
export function redIn(l: Lanes, shelf: number, from: number, to: number): boolean {
  const past = l.red.shelf[shelf + 1]!, i = lowerBound(l.red.reach, from, l.red.shelf[shelf]!, past);
  return i < past && l.red.start[i]! < to && l.red.end[i]! > from;
}
