// Timeline, critical path, what-if, call tree and roofline in a browser, on a made-up trace and, where
// there is one, a real one: what they show is what the tables and the command line say.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { addressed, assertNumber, demo, faultless, grid, html, open, run, settled, shared, tables } from './browser.mjs';

const real = join(shared, 'traces/tracelens/h100/facebook_timesformer-base-finetuned-k400__1016002.json.gz');
const traces = [['demo', demo()], ...(existsSync(real) ? [['h100', real]] : [])];
if (traces.length === 1) console.log(`# skipped: the real trace (${real})`);

const text = (page, selector) => page.locator(selector).first().innerText();
const ms = shown => Math.round(Number(shown.replace(/[^0-9.]/g, '')) * 1e6);
const msText = ns => `${(ns / 1e6).toFixed(3).replace(/\B(?=(\d{3})+\.)/g, ',')}\u202fms`;

// What the strip below the timeline says: { start: "1.2 ms", ... }
const facts = page => page.evaluate(() => Object.fromEntries([...document.querySelectorAll('#timeline .det > span:not(.nm)')]
  .map(s => [s.querySelector('.dim')?.textContent.trim(), s.querySelector('b')?.textContent])));
const chosenName = page => page.locator('#timeline .det .nm').getAttribute('title');
const showing = page => text(page, '#timeline .det');

async function key(page, name, times = 1) {
  for (let k = 0; k < times; k++) await page.keyboard.press(name);
  await settled(page);
}

for (const [name, trace] of traces) {
  const file = html(name, 'report', trace), said = tables('report', trace, '--page');

  test(`timeline: ${name}`, async () => {
    const page = await open(file, { hash: '#timeline' }), whole = await showing(page);
    assert.match(whole, /^Showing (.*) of \1\. /, 'all of it at first');
    const sentence = await text(page, '#timeline .ans');
    for (const lane of said.path_lanes.filter(l => l.path_ns > 0).slice(0, 3)) assert.ok(sentence.includes(lane.lane), sentence);

    // N and P walk the path's segments in order, as the table has them
    const path = said.picture_events.filter(e => e.lane === 0);
    await page.evaluate(() => document.activeElement.blur());
    const starts = path.map(e => msText(e.start_ns)), walked = [];
    for (const k of ['n', 'n', 'n', 'p']) {
      await key(page, k);
      walked.push((await facts(page)).start);
    }
    assert.ok(starts.some((t, i) => t === walked[0] && starts[i + 1] === walked[1] && starts[i + 2] === walked[2]), `${walked} follow each other in the table`);
    assert.equal(walked[3], walked[1]);
    assert.equal((await facts(page)).on, 'critical path');

    // keys zoom and pan; 0 shows all again; nothing goes beyond the ends
    await key(page, 'Escape');
    await key(page, '0');
    assert.equal(await showing(page), whole);
    const span = async () => ms((await showing(page)).match(/Showing (.*?)\s?ms/)?.[1] ?? '0');
    await key(page, 'w', 2);
    assert.ok(Math.abs(await span() / (0.49 * ms(whole.match(/Showing (.*?)\s?ms/)[1])) - 1) < 0.02, await showing(page));
    await key(page, 'a', 30);
    await key(page, 's', 2);
    assert.equal(await showing(page), whole);

    // search counts what the tables say
    const wanted = 'gemm', found = said.picture_events.filter(e => e.lane && e.name?.toLowerCase().includes(wanted));
    const streams = new Set(said.picture_lanes.filter(l => l.kind === 'stream').map(l => l.lane));
    await key(page, '/');
    await page.keyboard.type(wanted);
    await settled(page);
    const note = await text(page, '#timeline .tools .dim'), events = found.reduce((s, e) => s + e.count, 0), gpu = found.filter(e => streams.has(e.lane)).reduce((s, e) => s + e.dur_ns - e.gaps_ns, 0);
    assert.ok(note.replace(/,/g, '').includes(`${events} events`), note);
    if (gpu >= 1e6) assertNumber(note.match(/GPU ([\d.,]+)/)[1], gpu, 'GPU ms');
    await page.keyboard.press('Enter');
    assert.ok((await chosenName(page)).toLowerCase().includes(wanted), 'Enter goes to the first match');
    const hits = found.map(e => e.start_ns).sort((a, b) => a - b);
    assert.equal((await facts(page)).start, msText(hits[0]));
    await page.keyboard.press('Enter');
    assert.equal((await facts(page)).start, msText(hits[1]));
    await page.keyboard.press('Escape');
    assert.equal(await page.inputValue('#timeline input[type=search]'), '');

    // a link or a reload shows the same
    await addressed(page);
    const before = await showing(page), again = await open(file, { hash: await page.evaluate('location.hash') });
    await settled(again);
    assert.equal(await showing(again), before);
    assert.ok((await again.evaluate('location.hash')).includes('t='), 'the stretch is in the address');
    await faultless(again);
    await faultless(page);
  });

  test(`timeline by pointer: ${name}`, async () => {
    const page = await open(file, { hash: '#timeline' });
    await page.evaluate(() => document.querySelector('#timeline').scrollIntoView({ behavior: 'instant' }));
    const box = await page.locator('#timeline canvas.pane').boundingBox(), y = box.y + 30, x = box.x + 116 + (box.width - 116) * 0.6;
    await page.mouse.move(x, y);
    await settled(page);
    const at = ms((await facts(page)).start), window = said.picture_events.reduce((s, e) => Math.max(s, e.start_ns + e.dur_ns), 0);
    assert.ok(at <= window * 0.6 + 1e4 && at + window * 0.05 > 0, 'the segment under the pointer');
    assert.ok(await page.locator('.tl-tip.on').count(), 'a tooltip says so, too');
    const top = await page.evaluate('scrollY');
    await page.mouse.wheel(0, 60);
    await page.waitForTimeout(300);
    assert.ok(await page.evaluate('scrollY') > top, 'the plain wheel is the page\'s');
    assert.match(await page.evaluate(() => document.querySelector('#timeline .det').textContent), /./);
    await page.mouse.wheel(0, -60);
    await page.waitForTimeout(300);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -100);
    await page.keyboard.up('Control');
    await settled(page);
    await page.mouse.move(box.x + 5, box.y + 5);
    await settled(page);
    assert.doesNotMatch(await showing(page), /^Showing (.*) of \1\. /, 'Ctrl and wheel zoom');
    await page.keyboard.down('Shift');
    await page.mouse.move(x, y + 8);
    await page.mouse.down();
    await page.mouse.move(x + 100, y + 8, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await settled(page);
    await page.mouse.move(box.x + 5, box.y + 5);
    await settled(page);
    assert.match(await showing(page), /measured/);
    await page.mouse.click(x, y);
    assert.equal((await facts(page)).on, 'critical path', 'a click keeps the facts');
    await faultless(page);
  });

  test(`critical path: ${name}`, async () => {
    const page = await open(file, { hash: '#path' }), g = await grid(page, 'path'), longest = said.path.slice().sort((a, b) => b.dur_ns - a.dur_ns);
    const took = g.heads.findIndex(h => h.startsWith('Took')), start = g.heads.findIndex(h => h.startsWith('Start'));
    g.rows.slice(0, 10).forEach((row, i) => {
      assertNumber(row[took], longest[i].dur_ns, g.heads[took]);
      if (longest.filter(s => s.dur_ns === longest[i].dur_ns).length === 1) assertNumber(row[start], longest[i].start_ns, 'Start ms');
    });
    await page.locator('#path .grid a').first().click();
    await addressed(page);
    const [from, to] = (await page.evaluate('location.hash')).match(/t=(\d+)-(\d+)/).slice(1).map(Number);
    assert.ok(from <= longest[0].start_ns && to >= longest[0].start_ns + longest[0].dur_ns, 'its start opens the timeline there');
    await faultless(page);
  });

  test(`what if: ${name}`, async () => {
    const page = await open(file, { hash: '#whatif' }), window = said.window[0].window_ns;
    const predicted = () => page.evaluate(() => Number(document.querySelector('#whatif .res').dataset.predicted));
    assert.equal(await predicted(), window, 'all at 1x is the window');
    const move = async moves => {
      for (const [target, stop] of moves) await page.locator(`#whatif input[data-target="${target}"]`).fill(String(stop));
    };
    const kernel = said.replay_classes.find(c => c.kernel)?.target.replace(/["\\]/g, '\\$&');
    for (const moves of [[['cpu', 3]], [['comm', 7], ['compute', 1]], [[kernel, 2], ['compute', 6], ['launch', 5]]]) {
      const there = moves.filter(([target]) => said.replay_classes.some(c => c.target.replace(/["\\]/g, '\\$&') === target));
      if (!there.length) continue;
      await page.click('#whatif button:text("Reset")');
      await move(there);
      const scenario = (await page.locator('#whatif .command').innerText()).match(/--what-if '(.*)'$/s)[1].replaceAll("'\\''", "'");
      assert.equal(await predicted(), tables('critical-path', trace, '--what-if', scenario, '--table', 'what_if').what_if.find(r => r.target && r.window_ns !== null).window_ns, scenario);
    }
    await page.click('#whatif button:text("Reset")');
    assert.equal(await predicted(), window);
    const twice = await page.evaluate(() => [...document.querySelectorAll('#whatif .wi:not(.h)')].map(r => [r.querySelector('input').dataset.target, r.lastChild.textContent]));
    const saves = twice.map(t => ms(t[1]));
    assert.deepEqual(saves, saves.slice().sort((a, b) => b - a), 'sorted by what each would save alone');
    await faultless(page);
  });

  test(`call tree: ${name}`, async () => {
    const page = await open(file, { hash: '#tree' });
    const row = (level, k = 0) => page.locator(`#tree tr[aria-level="${level}"]`).nth(k);
    const shown = async r => ({ name: await r.locator('td.n').getAttribute('title'), cells: await r.locator('td').allInnerTexts() });
    for (const weight of ['cpu', 'gpu']) {
      await page.click(`#tree button:text("${weight.toUpperCase()} time")`);
      const tree = tables('tree', trace, '--invert', '--thread', 'all', '--weight', weight, ...(weight === 'cpu' ? ['--no-waits'] : [])).tree;
      const roots = tree.filter(n => n.parent === null).sort((a, b) => b.total - a.total), byName = new Map(roots.map(r => [r.name, r]));
      if (!roots.length) continue;
      for (let k = 0; k < Math.min(8, roots.length); k++) {
        const r = await shown(row(1, k));
        assertNumber(r.cells[1], roots[k].total, 'ms');
        if (!/^\(\d/.test(r.name)) assertNumber(r.cells[1], byName.get(r.name).total, 'ms');
      }
      // opening an inverted node shows who called it, as the command line has it
      const opens = page.locator('#tree tr[aria-level="1"][aria-expanded="false"]').first(), top = await shown(opens);
      if (await opens.count()) {
        const node = byName.get(top.name), kids = tree.filter(n => n.parent === node.id).sort((a, b) => b.total - a.total);
        await opens.locator('.tri').click();
        const seen = await page.locator('#tree tr[aria-level="2"]').count();
        assert.equal(seen, Math.min(50, kids.length));
        for (let k = 0; k < Math.min(5, kids.length); k++) assertNumber((await shown(row(2, k))).cells[1], kids[k].total, 'ms');
      }
    }
    // a function that is picked stays picked
    await page.click('#tree button:text("CPU time")');
    const picked = (await shown(row(1, 1))).name, chosen = () => page.locator('#tree tr[aria-selected="true"][aria-level="1"] td.n').first().getAttribute('title');
    await row(1, 1).locator('td.n').click();
    assert.equal(await chosen(), picked);
    await page.fill('#tree input[type=search]', 'a');
    await page.click('#tree button:text("Top-down")');
    await page.click('#tree button:text("Flame")');
    await page.setViewportSize({ width: 800, height: 700 });
    await page.click('#tree button:text("GPU time")');
    await page.click('#tree button:text("CPU time")');
    await page.click('#tree button:text("Inverted")');
    assert.equal(await chosen(), picked, 'through search, direction, size, weight');
    // and a frame of the graph picks, too
    await page.click('#tree button:text("Icicle")');
    await page.locator('#tree canvas').click({ position: { x: 20, y: 27 } });
    const frame = await page.locator('#tree .fl .nm').getAttribute('title');
    await page.waitForFunction(wanted => new URLSearchParams(location.hash.split('?')[1]).get('name') === wanted, frame);
    await page.click('#tree button:text("Zoom out")');
    await faultless(page);
  });

  test(`roofline: ${name}`, async () => {
    const page = await open(file), has = said.ops.filter(o => o.flops_per_byte > 0 && o.roofline_percent > 0 && /compute|memory/.test(o.roofline_bound));
    if (!has.length) assert.equal(await page.locator('#roofline').count(), 0);
    else {
      const points = await page.evaluate(() => [...document.querySelectorAll('#roofline .pt')].map(p => Number(p.dataset.row)).sort((a, b) => a - b));
      assert.deepEqual(points, said.ops.map((o, i) => (has.includes(o) ? i : -1)).filter(i => i >= 0));
      const g = await grid(page, 'roofline'), above = g.heads.findIndex(h => h.startsWith('Above')), most = has.map(o => o.above_roofline_ns).sort((a, b) => b - a);
      g.rows.slice(0, 8).forEach((r, i) => assertNumber(r[above], most[i], g.heads[above]));
    }
    await faultless(page);
  });
}

test('narrow and dark: nothing is wider than the page', async () => {
  const page = await open(html('demo', 'report', demo()), { width: 390, colorScheme: 'dark' });
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
  const box = await page.locator('#timeline canvas.pane').boundingBox();
  assert.ok(box.width <= 390 && box.height > 100);
  await faultless(page);
});
