// Around the views: keys, light and dark, narrow screens, print, no script, a hundred thousand rows.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { demo, faultless, folder, grid, html, open, settled, tables } from './browser.mjs';

const file = html('report', 'report', demo());
const page = await open(file);

const width = p => p.evaluate(() => document.scrollingElement.scrollWidth);
const theme = p => p.evaluate(() => document.documentElement.dataset.theme);

test('keys: theme, search, help, and none of them in a field', async () => {
  assert.equal(await theme(page), 'light');
  const light = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.keyboard.press('t');
  assert.equal(await theme(page), 'dark');
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), light);
  assert.equal(await page.evaluate(() => localStorage.getItem('lp-theme')), 'dark');
  await page.keyboard.press('/');
  assert.equal(await page.evaluate(() => document.activeElement.type), 'search');
  await page.keyboard.type('t?/');
  assert.equal(await page.evaluate(() => document.activeElement.value), 't?/');
  assert.equal(await theme(page), 'dark');
  await page.keyboard.press('Escape');
  await page.keyboard.press('t');
  assert.equal(await theme(page), 'light');
  await page.keyboard.press('?');
  assert.match(await page.locator('dialog[open]').innerText(), /light or dark/);
  await page.keyboard.press('t'); // not while a dialog is open
  assert.equal(await theme(page), 'light');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('dialog').count(), 0);
});

test('links name views that are there, and the address follows', async () => {
  const targets = await page.$$eval('a[href^="#"]', all => [...new Set(all.map(a => a.getAttribute('href').slice(1)))]);
  for (const id of targets) assert.ok(id === '' || await page.locator(`#${id}`).count() === 1, `#${id} is nowhere`);
  await page.locator('nav a[href="#kernels"]').click();
  await page.waitForFunction(() => location.hash.startsWith('#kernels'));
  await page.waitForFunction(() => Math.abs(document.getElementById('kernels').getBoundingClientRect().top) < 120);
  const ids = await page.$$eval('[id]', all => all.map(e => e.id));
  assert.equal(new Set(ids).size, ids.length, 'an id is there twice');
});

test('findings lead to their views', async () => {
  const links = await page.$$eval('.find li', all => all.map(li => li.querySelector('a')?.getAttribute('href').slice(1)));
  const views = tables('report', demo()).findings.map(f => f.view);
  assert.ok(new Set(views).size > 3, `${views}`);
  assert.deepEqual(links, views);
});

// 40 equal kernels: a share of 2.5 % in every row, and below them a sum of 100 %.
function equalKernels() {
  const path = join(folder, 'equal.json'), traceEvents = Array.from({ length: 40 }, (_, i) => (
    { ph: 'X', cat: 'kernel', name: `kernel${i}`, ts: i * 10, dur: 5, pid: 0, tid: 7, args: { device: 0, stream: 7 } }));
  writeFileSync(path, JSON.stringify({ traceEvents }));
  return html('equal', 'report', path);
}

test('heads, sums and last columns are not cut, at either width', async () => {
  for (const path of [file, equalKernels()])
    for (const wide of [1280, 390]) {
      const p = await open(path, { width: wide }), cut = await p.evaluate(() => {
        const seen = e => e.offsetParent !== null, found = [];
        for (const e of document.querySelectorAll('.tabulator-col.number .tabulator-col-title, .tabulator-footer .tabulator-cell.number'))
          if (seen(e) && e.scrollWidth > e.clientWidth) found.push(e.innerText);
        for (const g of document.querySelectorAll('.grid')) {
          const last = [...g.querySelectorAll('.tabulator-col')].filter(seen).at(-1);
          if (last && last.getBoundingClientRect().right > g.getBoundingClientRect().right + 1) found.push(`beyond: ${last.innerText}`);
        }
        for (const t of document.querySelectorAll('table.calltree')) {
          const last = [...t.querySelectorAll('thead th')].filter(seen).at(-1), off = t.getBoundingClientRect().right - last.getBoundingClientRect().right;
          if (Math.abs(off) > 2) found.push(`the call tree ends ${off} px early`);
        }
        return found;
      });
      assert.deepEqual(cut, [], `${path} at ${wide}`);
      await faultless(p);
    }
});

test('print is light and has no controls', async () => {
  await page.keyboard.press('t');
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  assert.equal(await theme(page), 'light');
  assert.equal(await page.locator('header.top').isVisible(), false);
  assert.equal(await page.locator('.tools:visible').count(), 0);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  assert.equal(await theme(page), 'dark');
  await page.emulateMedia({ media: 'screen' });
  await page.keyboard.press('t');
});

test('a narrow window, and wide again', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await settled(page);
  await page.waitForFunction(() => document.querySelectorAll('#kernels .tabulator-col').length);
  assert.equal(await width(page), 390);
  assert.ok(await page.locator('select.jump').isVisible());
  assert.equal(await page.locator('nav').first().isVisible(), false);
  await page.waitForFunction(() => [...document.querySelectorAll('#kernels .tabulator-col')].filter(c => c.offsetParent).length <= 4);
  await page.locator('select.jump').selectOption('ops');
  await page.waitForFunction(() => Math.abs(document.getElementById('ops').getBoundingClientRect().top) < 120);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.waitForFunction(() => [...document.querySelectorAll('#kernels .tabulator-col')].filter(c => c.offsetParent).length > 4);
  assert.ok(await width(page) <= 1280);
});

test('nothing went wrong', () => faultless(page));

test('drawn at 390 px in the dark: no sideways scroll', async () => {
  const small = await open(file, { width: 390, height: 800, colorScheme: 'dark' });
  assert.equal(await theme(small), 'dark');
  assert.equal(await width(small), 390);
  const shift = await small.evaluate(() => new Promise(done => new PerformanceObserver(list => done(list.getEntries().reduce((s, e) => s + e.value, 0)))
    .observe({ type: 'layout-shift', buffered: true }) ?? setTimeout(() => done(0), 300)));
  assert.ok(shift < 0.1, `layout shift ${shift}`);
  await faultless(small);
});

test('without scripts there are the sentence and the tables', async () => {
  const still = await open(file, { javaScriptEnabled: false }), t = tables('report', demo());
  const text = await still.locator('#static').innerText();
  assert.ok(await still.locator('#static h1').isVisible());
  for (const name of [t.kernels[0].name, t.ops[1].name]) assert.ok(text.includes(name), name);
  for (const f of t.findings ?? []) assert.ok(text.includes(f.sentence), f.sentence);
  await faultless(still);
});

// Another table into a page: what the writer does, in JavaScript.
function pageWith(name, table) {
  const data = gzipSync(JSON.stringify({ version: 1, kind: 'answer', headline: 'Many rows.', doubts: [], next: [], tables: [table] })).toString('base64');
  const path = join(folder, name);
  writeFileSync(path, readFileSync(file, 'utf8').replace(/(<script id="data"[^>]*>)[^<]*/, (_, open) => open + data));
  return path;
}

test('a hundred thousand rows', async () => {
  const n = 100000, column = (name, type, data, flags = 0) => ({ name, title: name, help: '', type, unit: 'count', flags, data });
  const path = pageWith('many.html', { name: 'many', rows: n, tree: false, detail: false, columns: [
    column('name', 'str', Array.from({ length: n }, (_, i) => `row ${i}`)), column('n', 'i64', Array.from({ length: n }, (_, i) => i * 7919 % n), 1)] });
  const many = await open(path), timed = async f => {
    const start = Date.now();
    await f();
    await settled(many);
    return Date.now() - start;
  };
  const sort = await timed(() => many.locator('#tables .tabulator-col').nth(1).click());
  assert.equal((await grid(many, 'tables')).rows[0][1], '99,999');
  const search = await timed(() => many.locator('#tables input[type=search]').fill('/7$/'));
  assert.equal(await many.locator('#tables [aria-live]').innerText(), '10,000 of 100,000 match');
  await many.locator('#tables input[type=search]').fill('');
  await many.locator('#tables .btn.all').click();
  const scroll = await timed(() => many.locator('#tables .tabulator-tableholder').evaluate(e => { e.scrollTop = e.scrollHeight; }));
  await many.waitForFunction(() => [...document.querySelectorAll('#tables .tabulator-table .tabulator-row')].some(r => r.lastElementChild.innerText === '0'));
  assert.ok(await many.locator('#tables .tabulator-row').count() < 300, 'only rows in sight are drawn');
  console.log(`# 100,000 rows: sort ${sort} ms, search ${search} ms, scroll to the end ${scroll} ms`);
  await faultless(many);
});

test('data of another version: the tables without scripts stay, with the reason', async () => {
  const path = join(folder, 'other.html'), data = gzipSync('{"version":99}').toString('base64');
  writeFileSync(path, readFileSync(file, 'utf8').replace(/(<script id="data"[^>]*>)[^<]*/, (_, open) => open + data));
  const other = await open(path, { javaScriptEnabled: true, ready: '.failed' });
  assert.match(await other.locator('.failed').innerText(), /version 99/);
  assert.ok(await other.locator('#static h1').isVisible());
  await faultless(other);
});
