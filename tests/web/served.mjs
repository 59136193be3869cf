// The page with a server behind it: what it shows of a trace too large for a file is what the server
// and the command line say, and it asks nobody else.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { faultless, folder, longpole, open, run, settled, skipAll, synth, tables } from './browser.mjs';

const trace = join(folder, 'large.json.gz');
execFileSync(synth, ['--size', '120M', '--seed', '1', '--python', '-o', trace]);

// Its address; null where the library that serve needs is absent.
function serve() {
  const server = spawn(longpole, ['serve', trace], { stdio: ['ignore', 'pipe', 'inherit'] });
  after(() => server.kill('SIGINT'));
  return new Promise(done => {
    let said = '';
    server.stdout.on('data', text => { if ((said += text).includes('\n')) done(said.trim()); });
    server.on('close', () => done(null));
  });
}

const url = await serve() ?? skipAll('longpole serve does not start here');
const records = t => t.rows.map(row => Object.fromEntries(t.columns.map((c, i) => [c, row[i]])));
const seconds = (ns, by, decimals) => (ns / by).toFixed(decimals).replace(/\B(?=(\d{3})+\.)/g, ',');

// What the strip below the timeline says of the bar under the pointer.
const pointed = page => page.evaluate(() => {
  const said = { name: document.querySelector('#timeline .det .nm')?.title };
  for (const s of document.querySelectorAll('#timeline .det > span:not(.nm)')) said[s.querySelector('.dim')?.textContent.trim()] = s.querySelector('b')?.textContent;
  return said;
});

// The last tile asked for while zooming in, from what the page itself holds.
async function lastTile(page) {
  const tiles = [];
  let asked = 0;
  page.on('request', r => { asked += r.url().includes('/tile?'); });
  page.on('requestfinished', r => { if (r.url().includes('/tile?')) tiles.push(r.url()); });
  for (let k = 0; k < 30 && !(tiles.at(-1) ?? '').endsWith('grain=0'); k++) {
    await page.keyboard.press('w');
    do await page.waitForTimeout(400); // a tile is asked for when the view has come to rest
    while (asked > tiles.length);
  }
  assert.ok(tiles.length, 'zooming asks for a tile');
  assert.match(tiles.at(-1), /grain=0$/, 'in the end for every event');
  return tiles.at(-1);
}

// One page for both: it is large.
test('a large trace, served', async t => {
  // where the host launches, in the middle of the trace
  const at = tables('report', trace).steps[30].host_start_ns + 2.5e6, page = await open(url, { hash: `#timeline?t=${at}-${at + 2e6}` });
  await t.test('timeline: a tile in full detail', async () => {
    await page.evaluate(() => { document.activeElement.blur(); document.querySelector('#timeline').scrollIntoView({ behavior: 'instant' }); });
    const tile = await (await fetch(await lastTile(page))).json(), bars = records(tile.picture_events);
    assert.ok(bars.length > 20, `${bars.length} rows`);

    // a search counts the rows of the tile, not those of the page
    const text = bars.find(b => b.lane && b.name && b.depth > 3).name.slice(0, 100), found = bars.filter(b => b.lane && b.name?.toLowerCase().includes(text.toLowerCase()));
    await page.fill('#timeline input[type=search]', text);
    await settled(page);
    const note = await page.locator('#timeline .tools .dim').first().innerText();
    const wanted = found.reduce((n, b) => n + b.count, 0);
    assert.match(note.replace(/,/g, ''), new RegExp(`^${wanted} events?\\b`), text);
    await page.fill('#timeline input[type=search]', '');

    // every bar that the pointer meets is a row of the tile
    const box = await page.locator('#timeline canvas.pane').boundingBox(), met = new Set();
    for (const share of [0.3, 0.5, 0.7])
      for (let y = box.y + 4; y < Math.min(box.y + box.height, 880); y += 6) {
        await page.mouse.move(box.x + 116 + (box.width - 116) * share, y);
        await settled(page);
        const { name, start } = await pointed(page);
        if (!name) continue;
        assert.ok(bars.some(b => start === `${seconds(b.start_ns, 1e6, 3)}\u202fms` && (!b.name || name.includes(b.name.slice(0, 200)) || b.lane === 0)), `${name} at ${start} is no row of the tile`);
        met.add(`${name} ${start}`);
      }
    assert.ok(met.size > 3, `only ${[...met]}`);
  });

  await t.test('call tree: an inverted node, opened', async () => {
    await page.waitForSelector('#tree table tbody tr .tri');
    const want = records(JSON.parse(run('tree', '--invert', '--no-waits', '--thread', 'all', '--roots', '12', '--depth', '2', '-f', 'json', trace).toString()).tree), roots = want.filter(n => n.parent === null);
    const rows = () => page.$$eval('#tree table.calltree tbody tr[data-key]', all => all.map(r => ({
      level: Number(r.getAttribute('aria-level')), name: r.querySelector('td').title, ms: r.querySelectorAll('td')[1].textContent.replace(/,/g, '') })));
    const same = (shown, row) => assert.deepEqual([shown.name, shown.ms], [row.name, (row.total / 1e6).toFixed(shown.ms.split('.')[1].length)]);
    const shown = await rows();
    assert.ok(roots.length >= 5 && shown.length >= 5, `${roots.length} and ${shown.length} roots`);
    shown.slice(0, roots.length).forEach((r, i) => same(r, roots[i]));

    await page.locator('#tree table tbody tr .tri').first().click();
    await page.waitForSelector('#tree table.calltree tbody tr[aria-level="2"]');
    const callers = want.filter(n => n.parent === roots[0].id), opened = (await rows()).filter(r => r.level === 2);
    assert.ok(callers.length && opened.length === Math.min(callers.length, 50), `${opened.length} of ${callers.length} callers`);
    opened.forEach((r, i) => same(r, callers[i]));
  });
  await faultless(page);
});
