// Replays the contracted dependency graph: when would the window have ended if some classes of time
// were shorter? Times are whole numbers of 1/120 ns, since all stops of a slider divide 120: so the
// replay is exact, and with all at 1x it is the window to the nanosecond.
import type { Answer, Table } from '../../data';

export const UNITS = 120; // in a nanosecond
export const STOPS = [1, 1.25, 1.5, 2, 3, 4, 8, Infinity];
export const stopText = (s: number): string => (s === Infinity ? '∞' : `${s}×`);

export interface Graph {
  nodes: number; // 0: the start of the window; the last: its end
  from: Int32Array; to: Int32Array; fixed: Float64Array; // of each edge, by `from`; ns
  first: Int32Array; // parts of edge e: first[e] to first[e + 1]
  kernel: Int32Array; cls: Int32Array; time: Float64Array; // of each part: the targets it scales with, or -1; ns
}

interface Parts { edge: Int32Array; kernel: Int32Array; cls: Int32Array; time: Float64Array }

// Edges rise by where they begin and go up: a node is finished before an edge leaves it.
export function makeGraph(nodes: number, edges: { from: Int32Array; to: Int32Array; fixed: Float64Array }, parts: Parts): Graph {
  const n = edges.to.length, first = new Int32Array(n + 1);
  for (let e = 0; e < n; e++)
    if (edges.from[e]! >= edges.to[e]! || (e && edges.from[e]! < edges.from[e - 1]!)) throw new Error(`edge ${e} of the replay is out of order`);
  for (const e of parts.edge) first[e + 1]!++;
  for (let e = 0; e < n; e++) first[e + 1]! += first[e]!;
  return { nodes, ...edges, first, kernel: parts.kernel, cls: parts.cls, time: parts.time };
}

// When the window ends if target k takes share[k] / 120 of its time, in units of 1/120 ns. A part
// scales with its kernel if that has a factor of its own, else with its class.
export function replay(g: Graph, share: Float64Array): number {
  const finish = new Float64Array(g.nodes);
  for (let e = 0; e < g.to.length; e++) {
    let t = finish[g.from[e]!]! + g.fixed[e]! * UNITS;
    for (let k = g.first[e]!; k < g.first[e + 1]!; k++) {
      const kernel = g.kernel[k]!, cls = g.cls[k]!, own = kernel < 0 ? UNITS : share[kernel]!;
      t += g.time[k]! * (own !== UNITS ? own : cls < 0 ? UNITS : share[cls]!);
    }
    if (t > finish[g.to[e]!]!) finish[g.to[e]!] = t;
  }
  return finish[g.nodes - 1] ?? 0;
}

export const shareOf = (stop: number): number => (stop === Infinity ? 0 : UNITS / stop);

// A window never gains more than it can: rounded up to whole nanoseconds.
export const inNs = (units: number): number => Math.ceil(units / UNITS);

export interface Target { name: string; title: string; kernel: boolean; time: number; onPath: number; events: number }
export interface Replay { graph: Graph; targets: Target[]; window: number }

export function readReplay(answer: Answer): Replay | null {
  const classes = answer.table('replay_classes'), nodes = answer.table('replay_nodes'), edges = answer.table('replay_edges'), parts = answer.table('replay_parts');
  const window = answer.table('window');
  if (!classes || !nodes || !edges || !parts || !window) return null;
  const rows = (t: Table, c: string): Int32Array => t.column(c).rows();
  const graph = makeGraph(nodes.rows, { from: rows(edges, 'from'), to: rows(edges, 'to'), fixed: edges.column('fixed_ns').float64() },
    { edge: rows(parts, 'edge'), kernel: rows(parts, 'kernel'), cls: rows(parts, 'class'), time: parts.column('time_ns').float64() });
  const number = (c: string, i: number): number => classes.column(c).num(i);
  const targets = Array.from({ length: classes.rows }, (_, i) => ({
    name: classes.column('target').text(i), title: classes.column('title').text(i), kernel: classes.column('kernel').values[i] === true,
    time: number('time_ns', i), onPath: number('on_path_ns', i), events: number('events', i),
  }));
  return { graph, targets, window: window.column('window_ns').num(0) };
}

// The same as a text of --what-if: kernels that have a factor, then all classes, since of two
// assignments that fit a time the first counts. Null with all at 1x.
export function whatIfText(targets: Target[], stops: number[]): string | null {
  if (stops.every(s => s === 1)) return null;
  const factor = (s: number): string => (s === Infinity ? '0' : `${s}x`);
  const wanted = targets.map((t, k) => [t, stops[k]!] as const).filter(([t, s]) => !t.kernel || s !== 1);
  return wanted.map(([t, s]) => `${t.name}=${factor(s)}`).join(' ');
}
