// A browser for tests of the page: it fails on whatever a console reports, on errors of the page
// and on any request but for the page's own file.
//
//	node TEST.mjs LONGPOLE SYNTH
//
// Without chromium or the npm packages of web/ a test is skipped (exit 77).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after } from 'node:test';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const shared = join(root, '../shared');
export const [, , longpole, synth] = process.argv;

export function skipAll(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}

const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (!chromium) skipAll('there is no chromium');
const playwright = join(root, 'web/node_modules/playwright-core/index.mjs');
if (!existsSync(playwright)) skipAll('playwright-core is not installed: npm ci in web/');

const browser = await (await import(playwright)).chromium.launch({ executablePath: chromium, args: ['--no-sandbox'] });
export const folder = mkdtempSync(join(tmpdir(), 'longpole-web-'));
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

export function run(...args) {
  return execFileSync(longpole, args, { maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'pipe'] });
}

// Rows of a JSON table as objects.
export function tables(...args) {
  const answer = JSON.parse(run(...args, '-f', 'json').toString());
  return Object.fromEntries(Object.entries(answer).map(([name, t]) =>
    [name, t.rows.map(row => Object.fromEntries(t.columns.map((c, i) => [c, row[i]])))]));
}

export function demo(seed = 1) {
  const path = join(folder, `demo${seed}.json.gz`);
  if (!existsSync(path)) execFileSync(synth, ['--size', '2M', '--seed', String(seed), '--python', '-o', path]);
  return path;
}

export function html(name, ...args) {
  const path = join(folder, `${name}.html`);
  run(...args, '-o', path);
  return path;
}

// A page, drawn; `page.faults` is what went wrong so far, and must stay empty (see faultless).
// `path` is a file's, or the address of a server, which is then the only one that may be asked.
export async function open(path, { width = 1280, height = 900, hash = '', ready = '#app[data-ready]', ...context } = {}) {
  const page = await (await browser.newContext({ viewport: { width, height }, ...context })).newPage();
  page.setDefaultTimeout(120000);
  page.faults = [];
  page.on('console', m => page.faults.push(`console: ${m.text()}`));
  page.on('pageerror', e => page.faults.push(`error: ${e.message}`));
  page.on('dialog', d => { page.faults.push(`dialog: ${d.message()}`); d.dismiss(); });
  const url = path.startsWith('http:') ? path : `file://${path}`, own = r => (url === path ? r.url().startsWith(url) : r.url().startsWith('file:'));
  page.on('request', r => { if (!own(r) && !/^(blob|data):/.test(r.url())) page.faults.push(`request: ${r.url()}`); });
  await page.goto(url + hash);
  if (context.javaScriptEnabled !== false) await page.waitForSelector(ready, { state: 'attached' });
  return page;
}

export async function faultless(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

// A grid as it stands: headers, rows of cells, the row of sums.
export function grid(page, section, which = 0) {
  return page.evaluate(([id, k]) => {
    const g = document.querySelectorAll(`#${id} .grid`)[k];
    const seen = e => e.offsetParent !== null && getComputedStyle(e).display !== 'none';
    const cells = row => [...row.querySelectorAll('.tabulator-cell')].filter(seen).map(c => c.innerText.trim());
    return {
      heads: [...g.querySelectorAll('.tabulator-col')].filter(seen).map(c => c.innerText.trim().replace(/ [↓↑]$/, '')),
      sorts: [...g.querySelectorAll('.tabulator-col')].filter(seen).map(c => c.getAttribute('aria-sort')),
      rows: [...g.querySelectorAll('.tabulator-table .tabulator-row')].map(cells),
      titles: [...g.querySelectorAll('.tabulator-table .tabulator-row')].map(r => r.querySelector('.tabulator-cell span')?.title ?? ''),
      sums: [...g.querySelectorAll('.tabulator-footer .tabulator-row')].map(cells)[0] ?? [],
    };
  }, [section, which]);
}

const UNITS = { ns: 1, 'µs': 1e3, ms: 1e6, s: 1e9, kB: 1e3, MB: 1e6, GB: 1e9, '%': 1 };

// What is shown of a number: right to its last digit, in the unit of its header.
export function assertNumber(shown, raw, head = '') {
  if (raw === null) return assert.ok(shown === '' || shown === '–', `${shown} for a missing value`);
  const by = UNITS[head.split(' ').at(-1)] ?? 1, text = shown.replace(/,/g, '').replace('\u2212', '-').replace('+', '');
  const decimals = text.split('.')[1]?.length ?? 0;
  assert.match(text, /^-?\d+(\.\d+)?$/, `"${shown}" is no number`);
  assert.ok(Math.abs(Number(text) - raw / by) <= 0.5000001 * 10 ** -decimals, `"${shown}" ${head} is not ${raw}`);
}

// What a search or a click changes is drawn in the next frame.
export const settled = page => page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));

// The address is written 250 ms after the last change, and the timeline tells of one 250 ms after it
// was moved: timers of the page that are set later, for longer, run after both.
export async function addressed(page) {
  await settled(page);
  for (let i = 0; i < 2; i++) await page.evaluate(() => new Promise(done => setTimeout(done, 300)));
}
