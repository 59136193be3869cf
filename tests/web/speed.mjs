// How large a page is, how soon it shows something, and how many frames it draws while panning:
// for the trace given, or a made-up one. Prints figures; asserts only what must hold anywhere.
import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { demo, faultless, html, open, shared } from './browser.mjs';

const given = process.argv[4], flux = join(shared, 'traces/tracelens/inference/xdit_flux.1_aiter_sage/profile_trace_rank_0.json.gz');
const trace = given ?? (existsSync(flux) ? flux : demo());

// Pans to and fro for a second, a step with each frame.
function pan() {
  return new Promise(done => {
    const began = performance.now(), times = [];
    let last = began;
    const frame = now => {
      times.push(now - last);
      last = now;
      dispatchEvent(new KeyboardEvent('keydown', { key: times.length % 40 < 20 ? 'd' : 'a' }));
      if (now - began < 1500) requestAnimationFrame(frame);
      else done(times.slice(1).sort((a, b) => a - b));
    };
    requestAnimationFrame(frame);
  });
}

test(`speed: ${trace}`, async () => {
  const file = html('speed', 'report', trace), size = statSync(file).size;
  const page = await open(file, { hash: '#timeline' });
  const events = await page.locator('#timeline canvas.pane').getAttribute('aria-label');
  const [first, ready] = await page.evaluate(() => [performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0, performance.now()]);
  console.log(`# ${events.slice(0, 60)}; page ${(size / 1e6).toFixed(1)} MB, first paint ${first.toFixed(0)} ms, all views within ${ready.toFixed(0)} ms`);
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable');
  const busy = async () => (await client.send('Performance.getMetrics')).metrics.find(m => m.name === 'TaskDuration').value;
  await page.evaluate(() => { document.querySelector('#timeline').scrollIntoView({ behavior: 'instant' }); document.activeElement.blur(); });
  for (const zooms of [0, 4, 8]) {
    for (let k = 0; k < zooms; k++) await page.keyboard.press('w');
    const before = await busy(), times = await page.evaluate(pan), spent = await busy() - before;
    const total = times.reduce((a, b) => a + b, 0);
    console.log(`# zoomed in ${zooms} times more: ${(1000 * times.length / total).toFixed(0)} frames/s, median ${times[times.length >> 1].toFixed(1)} ms, 95 % ${times[Math.floor(times.length * 0.95)].toFixed(1)} ms; main thread ${(1000 * spent / times.length).toFixed(1)} ms a frame`);
    assert.ok(times.length > 2, 'it moves');
  }
  assert.ok(size < 15e6, `${size} bytes`);
  await faultless(page);
});
