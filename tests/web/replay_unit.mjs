// The replay of what-if in the page: exact at every stop.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, random } from './modules.mjs';

const { makeGraph, replay, shareOf, inNs, STOPS, UNITS, whatIfText } = await load('views/path/replay');

const graph = (nodes, edges, parts) => makeGraph(nodes,
  { from: Int32Array.from(edges, e => e[0]), to: Int32Array.from(edges, e => e[1]), fixed: Float64Array.from(edges, e => e[2]) },
  { edge: Int32Array.from(parts, p => p[0]), kernel: Int32Array.from(parts, p => p[1]), cls: Int32Array.from(parts, p => p[2]), time: Float64Array.from(parts, p => p[3]) });
const at = (g, ...stops) => replay(g, Float64Array.from(stops, shareOf));

// host 100 to 1, then a kernel of 70 or one of 40 and copies of 50; targets: kernel kA, compute, host, copies
const small = graph(3, [[0, 1, 7], [1, 2, 0], [1, 2, 3]], [[0, -1, 2, 100], [1, 0, 1, 70], [2, -1, 1, 40], [2, -1, 3, 50]]);

test('by hand', () => {
  assert.equal(at(small, 1, 1, 1, 1), UNITS * (107 + 93));
  assert.equal(at(small, 1, 1, 2, 1), UNITS * (57 + 93));
  assert.equal(at(small, 1, 1, 1, Infinity), UNITS * (107 + 70), 'then the kernel decides');
  assert.equal(at(small, 2, 1, 1, Infinity), UNITS * (107 + 43));
  assert.equal(at(small, 2, 4, 1, Infinity), UNITS * (107 + 35), 'a kernel of its own factor leaves its class');
  assert.equal(at(small, 1, 4, 1, Infinity), UNITS * 107 + UNITS * 70 / 4);
  assert.equal(at(small, Infinity, Infinity, Infinity, Infinity), UNITS * (7 + 3), 'what does not scale stays');
  assert.equal(inNs(at(small, 1, 1, 3, 1)), 7 + 34 + 93, 'rounded up: never more is gained than the ratio says');
});

test('all stops are whole numbers of units', () => {
  for (const s of STOPS) assert.ok(Number.isInteger(shareOf(s)), String(s));
});

test('random graphs: exact, and never slower for a higher stop', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const next = random(seed), nodes = 2 + next(60), edges = [], parts = [];
    for (let from = 0; from + 1 < nodes; from++)
      for (let k = 0; k <= next(3); k++) {
        edges.push([from, from + 1 + (k ? next(nodes - from - 1) : 0), next(1e9)]);
        for (let p = next(4); p > 0; p--) parts.push([edges.length - 1, next(3) ? -1 : 0, 1 + next(3), next(2e9)]);
      }
    const g = graph(nodes, edges, parts), stops = [0, 1, 2, 3].map(() => STOPS[next(STOPS.length)]);
    const finish = Array(nodes).fill(0n);
    edges.forEach(([from, to, fixed], e) => {
      let t = finish[from] + BigInt(fixed) * 120n;
      for (const [edge, kernel, cls, time] of parts) if (edge === e) t += BigInt(time) * BigInt(shareOf(kernel >= 0 && stops[kernel] !== 1 ? stops[kernel] : stops[cls]));
      if (t > finish[to]) finish[to] = t;
    });
    assert.equal(BigInt(at(g, ...stops)), finish[nodes - 1]);
    assert.ok(at(g, 1, Infinity, 1, 1) <= at(g, 1, 2, 1, 1) && at(g, 1, 2, 1, 1) <= at(g, 1, 1, 1, 1));
  }
});

test('edges out of order are refused', () => {
  assert.throws(() => graph(3, [[1, 2, 0], [0, 1, 0]], []), /out of order/);
  assert.throws(() => graph(3, [[1, 1, 0]], []), /out of order/);
});

test('the same as a text of --what-if', () => {
  const targets = [{ name: 'k A', kernel: true }, { name: 'kB', kernel: true }, { name: 'compute', kernel: false }, { name: 'cpu', kernel: false }];
  assert.equal(whatIfText(targets, [1, 1, 1, 1]), null);
  assert.equal(whatIfText(targets, [2, 1, 1.25, Infinity]), 'k A=2x compute=1.25x cpu=0');
});
