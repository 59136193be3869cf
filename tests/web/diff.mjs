// The diff page says what the JSON says, and every level of its tree adds up.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { assertNumber, demo, faultless, grid, html, open, settled, shared, tables } from './browser.mjs';

const number = text => Number(text.replace(/,/g, '').replace('\u2212', '-').replace('+', ''));

// Rows of the tree: depth, marks, numbers.
const treeRows = page => page.$$eval('#diff-tree tbody tr', all => all.map(r => ({
  depth: Number(r.getAttribute('aria-level')), node: r.dataset.node, fold: r.dataset.fold, open: r.getAttribute('aria-expanded'),
  name: r.cells[0].title, mark: r.querySelector('b')?.textContent.trim() ?? '', cells: [1, 2, 3].map(k => r.cells[k].innerText) })));

// The rows right below an open one sum to it, in each column.
function assertLevels(rows) {
  rows.forEach((row, i) => {
    if (row.open !== 'true') return;
    const below = [];
    for (let k = i + 1; k < rows.length && rows[k].depth > row.depth; k++) if (rows[k].depth === row.depth + 1) below.push(rows[k]);
    if (!below.length) return;
    for (const k of [0, 1, 2]) {
      const sum = below.reduce((s, r) => s + number(r.cells[k]), 0), slack = 0.051 * (below.length + 1);
      assert.ok(Math.abs(sum - number(row.cells[k])) <= slack, `${row.name}: ${sum} is not ${row.cells[k]}`);
    }
  });
}

async function checkPage(page, t) {
  const fall = await page.$$eval('#diff .change tbody tr', all => all.map(r => [r.cells[0].innerText.trim(), r.cells[2].innerText]));
  const unit = await page.$eval('#diff .change th:last-child', e => e.textContent), sum = key => t.diff_path.reduce((s, r) => s + r[key], 0);
  assertNumber(fall[0][1], sum('before_ns'), unit);
  assertNumber(fall.at(-1)[1], sum('after_ns'), unit);
  const deltas = fall.slice(1, -1).map(([, text]) => number(text)), want = t.diff_path.map(r => r.delta_ns).filter(Boolean).sort((a, b) => Math.abs(b) - Math.abs(a));
  assert.equal(deltas.length, want.length);
  fall.slice(1, -1).forEach(([, text], i) => assertNumber(text, want[i], unit));
  const figures = await page.$$eval('#diff .two > div:nth-child(2) tbody tr', all => all.map(r => [...r.cells].map(c => c.innerText)));
  t.diff_summary.filter(r => r.before_ns !== null).forEach((r, i) => [r.before_ns, r.after_ns, r.delta_ns].forEach((raw, k) => assertNumber(figures[i][k + 1], raw, unit)));
  for (const [id, table, head] of [['diff-ops', t.diff_ops, 'Δ'], ['diff-kernels', t.diff_kernels, 'Δ']]) {
    const shown = await grid(page, id), at = shown.heads.findIndex(h => h.startsWith(head));
    shown.rows.forEach((cells, i) => assertNumber(cells[at], table[i].delta_ns, shown.heads[at]));
    assertNumber(shown.sums[at], table.reduce((s, r) => s + r.delta_ns, 0), shown.heads[at]);
  }
  const rows = await treeRows(page), roots = t.diff_tree.filter(r => r.parent === null);
  assertNumber(rows[0].cells[2], roots.reduce((s, r) => s + r.delta_ns, 0), 'Δ ms');
  assertNumber(rows[0].cells[0], t.diff_summary[0].before_ns, 'before ms');
  assertNumber(rows[0].cells[1], t.diff_summary[0].after_ns, 'after ms');
  assertLevels(rows);
  for (const r of rows.filter(r => r.node)) {
    const raw = t.diff_tree[Number(r.node)];
    assert.equal(r.name, raw.name);
    assert.equal(r.mark, { 'only before': '>>', 'only after': '<<' }[raw.status] ?? '');
    if (r.mark) assert.equal(r.open === 'true', false, 'opened past the point of difference');
  }
}

async function openedByHand(page) {
  const closed = page.locator('#diff-tree tr[aria-expanded=false]').first();
  const node = await closed.getAttribute('data-node');
  await closed.focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator(`#diff-tree tr[data-node="${node}"]`).getAttribute('aria-expanded'), 'true');
  await page.keyboard.press('ArrowDown');
  assert.ok(Number(await page.evaluate(() => document.activeElement.getAttribute('aria-level'))) > 1);
  assertLevels(await treeRows(page));
  const fold = page.locator('#diff-tree tr.foldr .tri').first();
  if (await fold.count()) {
    const before = (await treeRows(page)).length;
    await fold.click();
    const rows = await treeRows(page);
    assert.ok(rows.length > before);
    assertLevels(rows);
  }
}

const pairs = [['the demo', demo(1), demo(2)]];
const real = ['control/control.json.gz', 'test/test.json.gz'].map(p => join(shared, 'traces/hta/trace_diff', p));
if (real.every(existsSync)) pairs.push(['two real traces', ...real]);
else test('two real traces', { skip: 'no ../shared/traces' }, () => undefined);

for (const [title, before, after] of pairs)
  test(title, async () => {
    const page = await open(html('diff', 'diff', before, after));
    await checkPage(page, tables('diff', before, after, '--tree'));
    await openedByHand(page);
    await faultless(page);
  });

test('narrow and dark', async () => {
  const page = await open(html('diff', 'diff', demo(1), demo(2)), { width: 390, height: 800, colorScheme: 'dark' });
  assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 390);
  await page.locator('#diff-ops input[type=search]').fill('/mm$/');
  await settled(page);
  assert.match(await page.locator('#diff-ops [aria-live]').innerText(), /of \d+ match/);
  await faultless(page);
});

test('a trace against itself: nothing moved', async () => {
  const page = await open(html('same', 'diff', demo(1), demo(1)));
  assert.match(await page.locator('#diff .ans').innerText(), /as long as before/);
  const rows = await treeRows(page);
  assert.ok(rows.every(r => number(r.cells[2]) === 0));
  assertLevels(rows);
  await faultless(page);
});
