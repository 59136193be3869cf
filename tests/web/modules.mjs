// Modules of the page for tests that need no browser: bundled, then imported. Without npm's
// packages a test is skipped.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const web = join(dirname(fileURLToPath(import.meta.url)), '../../web');

export function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}

export async function fromPackages(path) {
  try {
    return await import(pathToFileURL(join(web, 'node_modules', path)).href);
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return skip('no packages in web/ (scripts/page)');
  }
}

// What these files under web/src export, together.
export async function load(...files) {
  const esbuild = await fromPackages('esbuild/lib/main.js'), folder = mkdtempSync(join(tmpdir(), 'longpole-web-'));
  const out = join(folder, 'modules.mjs');
  try {
    await esbuild.build({
      stdin: { contents: files.map(f => `export * from './${f}';`).join('\n'), resolveDir: join(web, 'src'), loader: 'ts' },
      bundle: true, format: 'esm', outfile: out, loader: { '.css': 'empty' }, logLevel: 'error',
    });
    return await import(pathToFileURL(out).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// The same numbers every time.
export function random(seed) {
  return below => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
    return Math.floor(((t ^ (t >>> 14)) >>> 0) / 4294967296 * below);
  };
}
