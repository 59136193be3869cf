// The palette of the page can be read by all: contrast on the page, and classes that meet side by
// side stay apart for eyes without one of the three kinds of cones.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

const css = readFileSync(new URL('../../web/src/theme.css', import.meta.url), 'utf8');

function palette(selector) {
  const block = css.slice(css.indexOf(selector) + selector.length), values = {};
  for (const [, name, hex] of block.slice(0, block.indexOf('}')).matchAll(/--(\w+):#([0-9a-f]{3,6})/g))
    values[name] = (hex.length === 3 ? [...hex].map(c => c + c).join('') : hex).match(/../g).map(h => parseInt(h, 16) / 255);
  return values;
}
const themes = { light: palette(':root{'), dark: palette(':root[data-theme=dark]{') };

const linear = c => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const luminance = rgb => [0.2126, 0.7152, 0.0722].reduce((s, w, i) => s + w * linear(rgb[i]), 0);
const contrast = (a, b) => {
  const [hi, lo] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (hi + 0.05) / (lo + 0.05);
};

// Lab of linear RGB (D65).
function lab(rgb) {
  const [r, g, b] = rgb, f = t => (t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 * t + 16) / 116);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047), y = f(0.2126 * r + 0.7152 * g + 0.0722 * b), z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

// Machado, Oliveira and Fernandes 2009, full severity, on linear RGB.
const EYES = {
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protan: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deutan: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritan: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};
const seen = (rgb, eye) => lab(eye.map(row => row.reduce((s, w, i) => s + w * linear(rgb[i]), 0)).map(v => Math.min(1, Math.max(0, v))));
const distance = (a, b) => Math.hypot(...a.map((v, i) => v - b[i]));

// At least so much against the page.
const TEXT = { ink: 7, ink2: 4.5, ink3: 4.5, link: 4.5, path: 4.5, slower: 4.5, faster: 4.5 };
const FILLS = { compute: 3, comm: 3, copy: 3, cpu_op: 3, launch_api: 3, path: 3 };

for (const [name, colours] of Object.entries(themes)) {
  test(`${name}: contrast`, () => {
    for (const [colour, least] of [...Object.entries(TEXT), ...Object.entries(FILLS)]) {
      assert.ok(colours[colour], `no colour ${colour}`);
      assert.ok(contrast(colours[colour], colours.bg) >= least, `${colour}: ${contrast(colours[colour], colours.bg).toFixed(2)} < ${least}`);
    }
    assert.ok(contrast(colours.ink, colours.sel) >= 7 && contrast(colours.ink, colours.hover) >= 7);
    assert.ok(contrast(colours.onpath, colours.path) >= 4.5 && contrast(colours.tipink, colours.tip) >= 7);
  });
  for (const [eye, matrix] of Object.entries(EYES))
    test(`${name}: classes apart, ${eye}`, () => {
      const classes = ['compute', 'comm', 'copy', 'cpu_op', 'launch_api', 'path'];
      for (const [i, a] of classes.entries())
        for (const b of classes.slice(i + 1)) {
          const d = distance(seen(colours[a], matrix), seen(colours[b], matrix));
          assert.ok(d >= 12, `${a} and ${b}: ${d.toFixed(1)}`);
        }
      assert.ok(distance(seen(colours.slower, matrix), seen(colours.faster, matrix)) >= 12);
    });
}
