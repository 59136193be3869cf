import { App } from './app';
import { embedded } from './data';
import { el } from './dom';
import { drawPage } from './page';
import './theme.css';

function failed(error: unknown): void {
  document.documentElement.classList.remove('js'); // the static part shows again
  const reason = error instanceof Error ? error.message : String(error);
  document.getElementById('app')!.append(el('p', { class: 'failed', role: 'alert' }, `The interactive page did not start: ${reason}`));
}

async function boot(): Promise<void> {
  const app = new App(await embedded());
  await drawPage(document.getElementById('app')!, app);
  document.getElementById('static')!.remove();
}

boot().catch(failed);
