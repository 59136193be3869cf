// The tables of the report page say what the JSON says: cell by cell, sorted, searched, saved.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { addressed, assertNumber, demo, faultless, grid, html, open, run, settled, shared, tables } from './browser.mjs';

const sum = (rows, column) => rows.reduce((s, r) => s + (r[column] ?? 0), 0);

function grouped(rows, key, column) {
  const groups = new Map();
  for (const r of rows) groups.set(r[key], (groups.get(r[key]) ?? 0) + r[column]);
  return groups;
}

// Rows of a grid against rows of a table, for the columns that `heads` names.
function assertRows(shown, rows, heads) {
  assert.ok(shown.rows.length > 0 && shown.rows.length <= rows.length);
  shown.rows.forEach((cells, i) => {
    for (const [head, column] of Object.entries(heads)) {
      const at = shown.heads.indexOf(head);
      assert.notEqual(at, -1, `no column ${head} in ${shown.heads}`);
      assertNumber(cells[at], rows[i][column], head);
    }
  });
}

async function checkOverview(page, t) {
  const device = t.timeline.some(r => r.device === 'all') ? 'all' : t.timeline[0].device;
  const parts = t.timeline.filter(r => r.device === device && ['computation', 'exposed_communication', 'exposed_copies', 'idle'].includes(r.what));
  const widths = await page.$$eval('#overview .acct i', all => all.map(i => parseFloat(i.style.width)));
  assert.ok(Math.abs(widths.reduce((a, b) => a + b, 0) - 100) < 0.05, 'the bar is its whole');
  const words = await page.$$eval('#overview .key b', all => all.map(b => b.textContent));
  words.forEach((text, i) => assertNumber(text.replace('\u202f', ' ').split(' ')[0], parts[i].time_ns, text.replace('\u202f', ' ')));
}

async function checkBreakdown(page, t) {
  const rows = await page.$$eval('#breakdown .fall tbody tr', all => all.map(r => [...r.cells].map(c => c.innerText.trim())));
  const unit = await page.$eval('#breakdown .fall th:nth-child(2)', e => e.textContent);
  assert.equal(rows.length, t.path_summary.length + 1);
  t.path_summary.forEach((r, i) => assertNumber(rows[i][1], r.time_ns, unit));
  assertNumber(rows.at(-1)[1], t.window[0].window_ns, unit);
  const ends = await page.$$eval('#breakdown .fall .hb i', all => all.map(i => [parseFloat(i.style.left), parseFloat(i.style.width)]));
  ends.slice(1).forEach(([left], i) => assert.ok(Math.abs(left - ends[i][0] - ends[i][1]) < 0.01, 'a bar starts where the last one ended'));
}

async function checkSteps(page, t) {
  if (!t.steps?.length) return;
  const shown = await page.$$eval('#steps tbody tr', all => all.map(r => [...r.cells].map(c => c.innerText.trim())));
  const unit = await page.$eval('#steps th:last-child', e => e.textContent);
  shown.forEach((cells, i) => {
    assert.equal(cells[0], t.steps[i].step);
    if (cells[2]) assertNumber(cells[2], t.steps[i].gpu_time_ns, unit);
  });
}

async function checkOps(page, t) {
  const groups = [...grouped(t.ops, 'name', 'kernel_time_ns')].sort((a, b) => b[1] - a[1]);
  const shown = await grid(page, 'ops'), at = shown.heads.findIndex(h => h.startsWith('GPU'));
  shown.rows.forEach((cells, i) => {
    assertNumber(cells[at], groups[i][1], shown.heads[at]);
    assert.equal(shown.titles[i], [...groups].filter(g => g[1] === groups[i][1]).length === 1 ? groups[i][0] : shown.titles[i]);
  });
  assertNumber(shown.sums[at], sum(t.ops, 'kernel_time_ns'), shown.heads[at]);
}

const KERNEL_HEADS = { Runs: 'count', 'Total ms': 'total_ns', '%': 'percent' };

async function checkKernels(page, t) {
  const shown = await grid(page, 'kernels'), rows = [...t.kernels].sort((a, b) => b.total_ns - a.total_ns);
  assertRows(shown, rows, Object.fromEntries(Object.entries(KERNEL_HEADS).filter(([head]) => shown.heads.includes(head))));
  assertNumber(shown.sums[shown.heads.indexOf('Runs')], sum(t.kernels, 'count'));
}

async function checkIdle(page, t) {
  const text = await page.$$eval('#idle .idle tr.sum td', all => all.map(c => c.innerText.trim()));
  assertNumber(text[1], sum(t.idle_causes, 'idle_ns'), await page.$eval('#idle .idle th:nth-child(2)', e => e.textContent));
  const lengths = await page.$$eval('#idle .two > div:nth-child(2) tbody tr', all => all.map(r => Number(r.cells[1].innerText.replace(/,/g, ''))));
  assert.equal(lengths.reduce((a, b) => a + b, 0), t.idle_gaps.length);
}

async function checkAll(page, t) {
  await checkOverview(page, t);
  await checkBreakdown(page, t);
  await checkSteps(page, t);
  await checkOps(page, t);
  await checkKernels(page, t);
  await checkIdle(page, t);
}

const made = tables('report', demo()), file = html('report', 'report', demo());
const page = await open(file); // one for all tests of the demo: drawing takes longest

test('the demo: content', () => checkAll(page, made));

const real = ['tracelens/h100/google_owlv2-large-patch14-ensemble__1016001.json.gz']
  .map(p => join(shared, 'traces', p)).filter(existsSync);
for (const path of real.length ? real : ['(none)'])
  test(`a real trace: ${path.split('/').at(-1)}`, { skip: !real.length && 'no ../shared/traces' }, async () => {
    const other = await open(html('real', 'report', path));
    await checkAll(other, tables('report', path));
    await faultless(other);
  });

test('sorting by a header, and back from the address', async () => {
  const calls = [...grouped(made.ops, 'name', 'count').values()];
  const header = page.locator('#ops .tabulator-col', { hasText: 'Calls' });
  for (const [press, order, dir] of [[() => header.click(), (a, b) => b - a, 'descending'], [() => header.press('Enter'), (a, b) => a - b, 'ascending']]) {
    await press();
    await settled(page);
    const shown = await grid(page, 'ops'), at = shown.heads.indexOf('Calls');
    assert.equal(shown.sorts[at], dir);
    const want = calls.slice().sort(order);
    shown.rows.forEach((cells, i) => assertNumber(cells[at], want[i]));
  }
  await addressed(page);
  const again = await open(file, { hash: new URL(page.url()).hash }), shown = await grid(again, 'ops');
  assert.equal(shown.sorts[shown.heads.indexOf('Calls')], 'ascending');
  await faultless(again);
});

test('searching: text, expression, nothing, no expression', async () => {
  const names = [...new Set(made.ops.map(r => r.name))];
  const field = page.locator('#ops input[type=search]'), note = page.locator('#ops [aria-live]');
  for (const [typed, matches] of [['_MM', n => /_mm/i.test(n)], ['/^aten::(mm|addmm)$/', n => /^aten::(mm|addmm)$/.test(n)]]) {
    await field.fill(typed);
    await settled(page);
    const want = names.filter(matches), shown = await grid(page, 'ops');
    assert.ok(want.length > 0 || typed === '_MM');
    assert.equal(await note.innerText(), `${want.length} of ${names.length} match`);
    assert.deepEqual(shown.titles.filter(Boolean).sort(), want.slice(0, 12).sort());
  }
  await field.fill('no such operator');
  assert.match(await page.locator('#ops .grid').innerText(), /Nothing matches/);
  await field.fill('/(/');
  assert.match(await note.innerText(), /not a regular expression/);
  await field.press('Escape');
  assert.equal(await field.inputValue(), '');
  assert.equal(await note.innerText(), '');
  assert.ok((await grid(page, 'ops')).rows.length >= 12);
});

test('CSV is the CSV of the tool', async () => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#kernels .btn', { hasText: 'CSV' }).click()]);
  assert.equal(download.suggestedFilename(), 'kernels.csv');
  const want = run('report', demo(), '-f', 'csv', '--table', 'kernels', '--sort', 'total_ns').toString();
  const sorted = text => [text.split('\n')[0], ...text.split('\n').slice(1).sort()];
  assert.deepEqual(sorted(readFileSync(await download.path(), 'utf8')), sorted(want));
});

test('columns are chosen, groups changed, all rows shown, a row picked', async () => {
  await page.locator('#ops .btn', { hasText: 'With shapes' }).click();
  await page.waitForFunction(() => document.querySelectorAll('#ops .tabulator-row').length > 5);
  assert.ok((await grid(page, 'ops')).heads.includes('Input dims'));
  await page.locator('#ops .btn', { hasText: 'Columns' }).click();
  await page.locator('#ops .chooser label', { hasText: /^ flops$|GFLOP|^ .*FLOP/i }).first().click();
  await settled(page);
  assert.ok((await grid(page, 'ops')).heads.some(h => /flop/i.test(h)));
  await page.locator('#kernels .btn.all').click();
  await settled(page);
  assert.equal((await grid(page, 'kernels')).rows.length >= Math.min(20, made.kernels.length), true);
  await page.locator('#kernels .tabulator-tableholder').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  const second = [...made.kernels].sort((a, b) => b.total_ns - a.total_ns)[1].name;
  await addressed(page);
  assert.equal(new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('name'), second);
  assert.ok(await page.locator('#kernels .tabulator-row.sel').count() > 0);
});

test('idle causes open to names that sum to them', async () => {
  const rows = await page.$$eval('#idle .idle tbody tr', all => all.map(r => [!r.hidden, r.className.includes('sub2'), r.cells[1].innerText]));
  let cause = 0, below = 0;
  for (const [shown, name, text] of rows.slice(0, rows.findIndex((r, i) => i > 0 && !r[1]))) {
    assert.ok(shown);
    if (name) below += Number(text);
    else cause = Number(text);
  }
  assert.ok(Math.abs(cause - below) < 0.05 + 1e-9, `${cause} is ${below}`);
  const closed = page.locator('#idle .tri[aria-expanded=false]').first();
  await closed.click();
  assert.ok(await page.locator('#idle .sub2:visible').count() > 1);
});

test('--format html writes what a name ending in .html asks for', () =>
  assert.ok(run('report', demo(), '-f', 'html').equals(readFileSync(file))));

test('nothing went wrong', () => faultless(page));
