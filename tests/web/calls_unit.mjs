// The call tree: inverted by ranges against an inversion by hand, and the layout of the flame graph.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, random } from './modules.mjs';

const { makeCallTree, selfOf, totalsOf, childrenOf, nameAt, matching, Inverted, heaviest, frames, frameAt, LEAST, MOST_ROWS } =
  await load('views/calls/call_tree', 'views/calls/invert_tree', 'views/calls/flame_layout');

function tree(rows) { // [parent, name, cpu, gpu, wait]
  const names = [...new Set(rows.map(r => r[1]))], col = k => Float64Array.from(rows, r => r[k] ?? 0);
  return makeCallTree(Int32Array.from(rows, r => r[0]), names, Int32Array.from(rows, r => names.indexOf(r[1])), { cpu: col(2), gpu: col(3), wait: col(4), calls: Float64Array.from(rows, () => 1) });
}

function randomTree(seed, n, names) {
  const next = random(seed), rows = [], used = new Map();
  for (let i = 0; i < n; i++) {
    const parent = i ? next(i + 1) - 1 : -1, name = `f${next(names)}`, key = `${parent} ${name}`;
    if (used.has(key)) continue;
    used.set(key, true);
    rows.push([Math.min(parent, rows.length - 1), name, next(3) ? next(100) : 0, next(50), 0]);
  }
  return tree(rows);
}

// path (leaf first) → time, of every beginning of every stack
function byHand(t, self) {
  const sum = new Map();
  for (let i = 0; i < t.n; i++)
    for (let at = i, path = ''; self[i] > 0 && at >= 0; at = t.parent[at]) {
      path += `/${nameAt(t, at)}`;
      sum.set(path, (sum.get(path) ?? 0) + self[i]);
    }
  return sum;
}

test('an inverted tree, opened in any order, is that by hand', () => {
  for (let seed = 1; seed <= 25; seed++) {
    const t = randomTree(seed, 300, 9), self = selfOf(t, seed % 2 ? 'cpu' : 'gpu', true), v = new Inverted(t, self), expected = byHand(t, self), next = random(seed), seen = new Map();
    const open = v.roots.map(r => [r, `/${v.nameOf(r)}`]);
    while (open.length) {
      const [node, path] = open.splice(next(open.length), 1)[0], called = v.called(node), kids = v.open(node);
      seen.set(path, node.total);
      assert.equal(called, kids.length > 0);
      assert.equal(v.open(node), kids, 'made once');
      kids.forEach((k, i) => assert.ok(!i || kids[i - 1].total >= k.total));
      open.push(...kids.map(k => [k, `${path}/${v.nameOf(k)}`]));
    }
    assert.deepEqual(seen, expected);
    assert.equal(v.total, totalsOf(t, self)[t.n]);
  }
});

const small = tree([[-1, 'main', 5, 0, 0], [0, 'a', 10, 40, 4], [1, 'b', 20, 0, 0], [0, 'b', 30, 60, 30], [3, 'a', 7, 0, 0], [-1, 'worker', 8, 0, 0]]);

test('totals, waits, search', () => {
  assert.deepEqual([...totalsOf(small, selfOf(small, 'cpu', true))], [72, 30, 20, 37, 7, 8, 80]);
  assert.deepEqual([...selfOf(small, 'cpu', false)], [5, 6, 20, 0, 7, 8]);
  assert.deepEqual(heaviest(small, selfOf(small, 'cpu', true)), { name: 'b', self: 50 });
  assert.equal(heaviest(small, new Float64Array(6)), null);
  const total = totalsOf(small, selfOf(small, 'cpu', true)), match = Uint8Array.from(small.names, n => Number(n === 'a'));
  assert.equal(matching(small, total, match), 37, 'a in b in main, and a with the b below it: nothing twice');
  assert.deepEqual(childrenOf(small, small.n, total).map(i => nameAt(small, i)), ['main', 'worker']);
  assert.deepEqual(childrenOf(small, 0, total).map(i => nameAt(small, i)), ['b', 'a']);
});

test('frames fill their callers in order, and what is too narrow is left out', () => {
  for (let seed = 1; seed <= 10; seed++) {
    const t = randomTree(seed, 2000, 60), total = totalsOf(t, selfOf(t, 'cpu', true)), all = frames(t, total, t.n, 800), at = new Map(all.map(f => [f.node, f]));
    for (const f of all) {
      if (f.node === t.n) continue;
      const up = at.get(t.parent[f.node] < 0 ? t.n : t.parent[f.node]);
      assert.ok(f.x0 >= up.x0 - 1e-6 && f.x1 <= up.x1 + 1e-6 && f.row === up.row + 1);
      assert.ok(Math.abs(f.x1 - f.x0 - total[f.node] * 800 / total[t.n]) < 1e-6 && f.x1 - f.x0 >= LEAST);
      assert.equal(frameAt(all, f.row, (f.x0 + f.x1) / 2), f);
    }
    const wide = [...Array(t.n).keys()].filter(i => total[i] * 800 / total[t.n] >= LEAST);
    assert.equal(wide.length, all.length - 1);
  }
  const zoomed = frames(small, totalsOf(small, selfOf(small, 'cpu', true)), 3, 370);
  assert.deepEqual(zoomed.map(f => [f.node, f.row, f.x0, f.x1]), [[6, 0, 0, 370], [0, 1, 0, 370], [3, 2, 0, 370], [4, 3, 0, 70]]);
});

test('a chain of calls as deep as they come', () => {
  const n = 100000, t = tree(Array.from({ length: n }, (_, i) => [i - 1, i % 2 ? 'even' : 'odd', 1, 0, 0]));
  const total = totalsOf(t, t.cpu), whole = frames(t, total, t.n, 100), deep = frames(t, total, n - 2, 100);
  assert.equal(whole.length, MOST_ROWS);
  assert.deepEqual(deep.map(f => f.node).slice(-3), [n - 3, n - 2, n - 1], 'what called the zoomed one, then it, then what it calls');
  assert.ok(deep.length < 20);
  assert.equal(new Inverted(t, t.cpu).roots.length, 2);
});
