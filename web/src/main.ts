import { App } from './app';
import { allTables, firstTables } from './data';
import { el } from './dom';
import { Page } from './page';
import { findServer } from './server';
import './theme.css';

function failed(error: unknown): void {
  document.documentElement.classList.remove('js'); // the static part shows again
  const reason = error instanceof Error ? error.message : String(error);
  document.getElementById('app')!.append(el('p', { class: 'failed', role: 'alert' }, `The interactive page did not start: ${reason}`));
}

// What stands behind this program in the page has been read.
function parsed(): Promise<void> {
  return new Promise(done => (document.readyState === 'loading' ? addEventListener('DOMContentLoaded', () => done(), { once: true }) : done()));
}

async function boot(): Promise<void> {
  const app = new App(firstTables()), page = new Page(document.getElementById('app')!, app);
  page.drawFirst();
  await parsed();
  [app.answer, app.server] = await Promise.all([allTables(), findServer()]);
  await page.drawRest();
  document.getElementById('static')!.remove();
}

boot().catch(failed);
