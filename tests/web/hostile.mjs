// Names that no program should trust are text in the page: no script of theirs runs, no element
// of theirs comes to be, with scripts and without.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { faultless, folder, grid, html, open, root } from './browser.mjs';

const BAD = '\ufffd', PWN = 'window.pwned=(window.pwned||0)+1';
const NAMES = [
  `</script><script>${PWN}</script>`, `<img src=x onerror="${PWN}">`, `<svg onload=${PWN}>`, `"><iframe srcdoc="<script>parent.${PWN}</script>">`,
  `' onmouseover='${PWN}`, `javascript:${PWN}`, '<!-- <script>', ']]>', '&lt;b&gt;&amp;', '</title></style></textarea>', '{{constructor.constructor("alert(1)")()}}',
  'rtl \u202egnp.exe', '\u2066isolate', 'emoji \u{1F469}\u200d\u{1F680}', 'שלום עולם', 'e\u0301', 'quote " and \\ back', '__proto__', 'constructor', 'toString',
  `void f<${'std::vector<float, 4>, '.repeat(140)}int>(int, char*)`, '=1+1', ' ', 'a'.repeat(3000),
];

// Its last name has bytes that are no UTF-8.
function trace() {
  const events = [...NAMES, 'bytes BADBYTES'].flatMap((name, i) => [
    { ph: 'X', cat: 'cpu_op', name, pid: 1, tid: 1, ts: i * 100, dur: 50 },
    { ph: 'X', cat: 'cuda_runtime', name: 'cudaLaunchKernel', pid: 1, tid: 1, ts: i * 100 + 1, dur: 5, args: { correlation: i + 1 } },
    { ph: 'X', cat: 'kernel', name, pid: 0, tid: 7, ts: i * 100 + 20, dur: 30, args: { correlation: i + 1, stream: 7, device: 0 } }]);
  events.push({ ph: 'M', name: 'process_name', pid: 1, args: { name: NAMES[0] } }, { ph: 'M', name: 'thread_name', pid: 1, tid: 1, args: { name: NAMES[1] } },
    { ph: 'X', cat: 'user_annotation', name: `ProfilerStep#1${NAMES[1]}`, pid: 1, tid: 1, ts: 0, dur: NAMES.length * 100 });
  const parts = JSON.stringify({ traceEvents: events }).split('BADBYTES').flatMap((text, i) => [...(i ? [Buffer.from([0xff, 0xfe, 0xc0, 0x80])] : []), Buffer.from(text)]);
  const path = join(folder, '<img src=x onerror=window.pwned=1>.json');
  writeFileSync(path, Buffer.concat(parts));
  return path;
}

// What a page is made of; an element that is not ours has come from a name.
const OURS = new Set(('html head meta title style script body div header nav main section footer span a b i p h1 h2 h3 small table thead tbody tr th td ol ul li '
  + 'dl dt dd button select option input label canvas svg rect line path text g circle title output kbd dialog details summary pre code').split(' '));

async function checkElements(page, scripts) {
  const tags = await page.evaluate(() => [...document.querySelectorAll('*')].map(e => e.localName));
  assert.deepEqual(tags.filter(t => !OURS.has(t)), []);
  assert.equal(tags.filter(t => t === 'script').length, scripts);
  const handlers = await page.evaluate(() => [...document.querySelectorAll('*')].flatMap(e => e.getAttributeNames().filter(n => n.startsWith('on') || (e.getAttribute(n) ?? '').startsWith('javascript:') && n !== 'title' && n !== 'aria-label' && n !== 'value')));
  assert.deepEqual(handlers, []);
}

// Valid HTML, where there is a program that knows.
function checkHtml(path) {
  let tidy = '';
  try {
    execFileSync('tidy', ['-q', '-e', path], { stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (e) {
    if (e.code === 'ENOENT') return;
    tidy = e.stderr.toString();
  }
  assert.doesNotMatch(tidy, /Error:|malformed|unescaped|missing <\/|unexpected <\//, path);
}

async function checkPage(path) {
  checkHtml(path);
  const still = await open(path, { javaScriptEnabled: false });
  await checkElements(still, 4);
  assert.deepEqual(await still.evaluate(() => [...document.body.children].map(e => e.id || e.localName)), ['static', 'app', 'first', 'script', 'data']);
  const page = await open(path);
  await checkElements(page, 2);
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  return [still, page];
}

test('hostile names are text', async () => {
  const path = trace(), [still, page] = await checkPage(html('hostile', 'report', path));
  const shownStill = await still.locator('#static').evaluate(e => e.textContent);
  for (const name of NAMES.slice(0, 6)) assert.ok(shownStill.includes(name), name);
  await page.locator('#kernels .btn.all').click();
  await page.waitForFunction(n => document.querySelectorAll('#kernels .tabulator-table .tabulator-row').length >= n, NAMES.length);
  const titles = (await grid(page, 'kernels')).titles;
  for (const name of NAMES) assert.ok(titles.includes(name), JSON.stringify(name));
  await page.locator('#ops .grid').hover();
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 1280);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.waitForFunction(() => document.scrollingElement.scrollWidth === 390);
  await faultless(page);
  await faultless(still);
});

test('bytes that are no UTF-8 are U+FFFD', async () => {
  const page = await open(html('bytes', 'ops', trace()));
  await page.locator('#ops input[type=search]').fill('bytes');
  await page.waitForFunction(() => document.querySelectorAll('#ops .tabulator-table .tabulator-row').length === 1);
  assert.ok((await grid(page, 'ops')).titles[0].startsWith(`bytes ${BAD}`));
  await faultless(page);
});

test('a diff of hostile names', async () => {
  const path = trace(), [still, page] = await checkPage(html('diff', 'diff', path, path));
  await faultless(page);
  await faultless(still);
});

// Hand-made cases. Outside of the style and the scripts, a page's tags are only ours; those with
// odd names are drawn, too.
const cases = join(root, 'tests/data/cases'), ODD = /^(01|02|04|12|36)/;

function checkTags(path) {
  const text = readFileSync(path, 'utf8').replace(/<(style|script)\b[^>]*>[^]*?<\/\1>/g, '');
  for (const [, tag] of text.matchAll(/<\/?([a-z][a-z0-9]*)/gi)) assert.ok(OURS.has(tag), `<${tag}> in ${path}`);
}

test('every case makes a page', async () => {
  let n = 0;
  for (const name of readdirSync(cases).filter(f => /\.json(\.gz)?$/.test(f)).sort()) {
    let path;
    try {
      path = html(`case-${n}`, 'report', join(cases, name));
    } catch (e) {
      assert.equal(e.status, 2, name); // no trace
      continue;
    }
    n++;
    checkHtml(path);
    checkTags(path);
    if (!ODD.test(name)) continue;
    const page = await open(path);
    await checkElements(page, 2);
    assert.equal(await page.locator('[role=alert]').count(), 0, name);
    await faultless(page);
  }
  assert.ok(n > 20, `${n} cases`);
});
