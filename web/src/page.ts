// The frame: header, sections in order, and for each the sentence that is its answer.
import type { App, View } from './app';
import { el } from './dom';
import { views } from './views/all';

function header(app: App): HTMLElement {
  const toggle = (): void => app.setTheme(app.theme === 'dark' ? 'light' : 'dark');
  return el('header', { class: 'top' },
    el('div', { class: 'wrap' },
      el('span', { class: 'logo' }, 'longpole'),
      el('nav', { 'aria-label': 'Views', id: 'nav' }),
      el('button', { class: 'btn', 'aria-label': 'Switch light or dark', title: 'Theme (T)', click: toggle }, '◐')));
}

function section(view: View, app: App): HTMLElement | null {
  const answer = view.answer(app);
  if (answer === null) return null;
  const host = el('section', { id: view.id }, el('h2', {}, view.title), el('p', { class: 'ans' }, answer));
  view.draw(host, app);
  return host;
}

export function drawPage(host: HTMLElement, app: App): void {
  const main = el('main', { class: 'wrap' }, el('h1', {}, app.answer.headline));
  const nav = header(app);
  host.append(nav, main);
  for (const view of views) {
    const drawn = section(view, app);
    if (!drawn) continue;
    main.append(drawn);
    nav.querySelector('nav')!.append(el('a', { href: `#${view.id}` }, view.title));
  }
}
