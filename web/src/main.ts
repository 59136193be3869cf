import { App } from './app';
import { embedded } from './data';
import { el } from './dom';
import { drawPage } from './page';
import { findServer } from './server';
import './theme.css';

function failed(error: unknown): void {
  document.documentElement.classList.remove('js'); // the static part shows again
  const reason = error instanceof Error ? error.message : String(error);
  document.getElementById('app')!.append(el('p', { class: 'failed', role: 'alert' }, `The interactive page did not start: ${reason}`));
}

async function boot(): Promise<void> {
  const [answer, server] = await Promise.all([embedded(), findServer()]);
  const app = new App(answer, server);
  await drawPage(document.getElementById('app')!, app);
  document.getElementById('static')!.remove();
}

boot().catch(failed);
