// The timeline's searches against walks: columns, longest bars, hits, ticks, the window.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, random } from './modules.mjs';

const { makeBars, lowerBound, visible, barAt, columns, Longest, step, ticks, tickText, Viewport, SHORTEST } =
  await load('views/timeline/spans', 'views/timeline/ticks', 'views/timeline/viewport');

// Shelves of bars that do not overlap, some of them very short, some of length 0.
function shelves(seed, n) {
  const next = random(seed), start = [], end = [], shelf = [0];
  for (let s = 0; s < n; s++) {
    let t = next(50);
    for (let k = next(400); k > 0; k--) {
      const length = next(20) ? next(5) : next(3000);
      start.push(t);
      end.push(t + length);
      t += length + (next(3) ? next(4) : next(500)) + (length ? 0 : 1);
    }
    shelf.push(start.length);
  }
  return makeBars(Float64Array.from(start), Float64Array.from(end), Int32Array.from(shelf), i => end[i] - start[i]);
}

test('every bar is in one column, wide ones alone', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const b = shelves(seed, 3), next = random(seed);
    for (let s = 0; s < 3; s++) {
      const t0 = next(4000), perNs = [0.002, 0.05, 0.31, 1, 7][next(5)], t1 = t0 + 1000 / perNs;
      const [from, past] = visible(b, s, t0, t1);
      let at = from, right = -Infinity;
      columns(b, from, past, t0, perNs, (x0, x1, i, j) => {
        assert.equal(i, at, 'no bar is left out or drawn twice');
        assert.ok(j > i && x1 > x0 && x0 >= Math.floor(right) - 1 - 1e-6, 'from left to right; a wide bar may begin in the column of merged ones');
        if (j > i + 1 || x1 - x0 === 1)
          for (let k = i; k < j; k++) assert.equal(Math.floor((b.start[k] - t0) * perNs), j === i + 1 && x0 % 1 ? Math.floor(x0) : x0, 'merged bars begin in its column');
        for (let k = i; k < j && j > i + 1; k++) assert.ok((b.end[k] - b.start[k]) * perNs < 1, 'only narrow bars are merged');
        at = j;
        right = x1;
      });
      assert.equal(at, past);
    }
  }
});

test('what is visible, and what lies at a point, is what a walk finds', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const b = shelves(seed, 2), next = random(seed + 100);
    for (let k = 0; k < 50; k++) {
      const s = next(2), t0 = next(9000), t1 = t0 + 1 + next(500), seen = [];
      for (let i = b.shelf[s]; i < b.shelf[s + 1]; i++) if (b.end[i] > t0 && b.start[i] < t1) seen.push(i);
      const [from, past] = visible(b, s, t0, t1);
      for (const i of seen) assert.ok(i >= from && i < past);
      for (let i = from; i < past; i++) assert.ok(seen.includes(i) || b.start[i] === b.end[i], 'only bars without length may be more');
      const near = next(6), away = i => Math.max(b.start[i] - t0, t0 - b.end[i], 0);
      let best = Infinity;
      for (let i = b.shelf[s]; i < b.shelf[s + 1]; i++) best = Math.min(best, away(i));
      const found = barAt(b, s, t0, near);
      if (found >= 0) assert.equal(away(found), best);
      else assert.ok(best >= near, `a bar at ${best} was missed`);
    }
  }
});

test('the longest of a run', () => {
  const b = shelves(7, 40), longest = new Longest(b), next = random(5), n = b.start.length;
  assert.ok(n > 5000);
  for (let k = 0; k < 500; k++) {
    const from = next(n), past = from + 1 + next(n - from);
    let best = from;
    for (let i = from; i < past; i++) if (b.end[i] - b.start[i] > b.end[best] - b.start[best]) best = i;
    assert.equal(longest.of(from, past), best);
  }
  assert.equal(lowerBound(Float64Array.of(1, 2, 2, 5), 2, 0, 4), 1);
  assert.equal(lowerBound(Float64Array.of(1, 2, 2, 5), 6, 0, 4), 4);
});

test('ticks are round, and their labels tell them apart', () => {
  for (const span of [20, 333, 1e3, 47e3, 1e6, 250e6, 3e9, 9e12])
    for (const most of [2, 5, 11]) {
      const by = step(span, most), marks = ticks(span / 7, span / 7 + span, most), texts = marks.map(t => tickText(t, by));
      assert.match(String(by / 10 ** Math.floor(Math.log10(by) + 1e-9)), /^(1|2|5)$/);
      assert.ok(marks.length <= most + 1 && by * most >= span * (1 - 1e-9));
      assert.equal(new Set(texts).size, texts.length, texts.join(' '));
    }
  assert.equal(tickText(1234567, 1000), '1.235\u202fms');
  assert.equal(tickText(20e6, 10e6), '20\u202fms');
  assert.equal(tickText(2500, 500), '2.5\u202fµs');
});

test('the window stays inside, and zooming keeps the point', () => {
  let changes = 0;
  const v = new Viewport(100, 10100, () => changes++), next = random(3);
  assert.ok(v.whole);
  v.show(-500, 700);
  assert.deepEqual([v.t0, v.t1], [100, 1300]);
  v.zoom(0.5, 400);
  assert.equal((400 - v.t0) / v.span, 0.25);
  v.zoom(1e-9, 400);
  assert.equal(v.span, SHORTEST);
  v.fit(5000, 6000);
  assert.ok(v.t0 < 5000 && v.t1 > 6000 && v.span < 1100);
  for (let k = 0; k < 2000; k++) {
    [() => v.pan((next(100) - 50) / 40), () => v.zoom((1 + next(40)) / 20, v.t0 + next(1000) / 1000 * v.span)][next(2)]();
    assert.ok(v.t0 >= 100 && v.t1 <= 10100.000001 && v.span >= SHORTEST - 1e-6);
  }
  v.all();
  changes = 0;
  v.all();
  assert.equal(changes, 0, 'no redraw for nothing');
});
