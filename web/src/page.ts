// The frame: header, sections in order, and for each the sentence that is its answer.
import type { App, View } from './app';
import { el, svg } from './dom';
import { views } from './views/all';

function logo(): HTMLElement {
  const bar = (y: number, width: number, colour: string): SVGElement => svg('rect', { x: 0, y, width, height: 3, fill: `var(${colour})` });
  return el('span', { class: 'logo' },
    svg('svg', { width: 20, height: 16, viewBox: '0 0 20 16', 'aria-hidden': 'true' }, bar(1, 9, '--mute'), bar(6.5, 20, '--path'), bar(12, 13, '--mute')),
    'longpole');
}

function header(app: App, shown: View[]): HTMLElement {
  const jump = el('select', { class: 'jump', 'aria-label': 'Go to a view', change: () => app.show(jump.value) },
    ...shown.map(v => el('option', { value: v.id }, v.title)));
  return el('header', { class: 'top' },
    el('div', { class: 'wrap' }, logo(),
      el('nav', { 'aria-label': 'Views' }, ...shown.map(v => el('a', { href: `#${v.id}` }, v.nav ?? v.title))), jump,
      el('button', { class: 'btn', id: 'theme', 'aria-label': 'Switch light or dark', title: 'Light or dark (T)', click: () => turnTheme(app) }, '◐'),
      el('button', { class: 'btn hide-s', 'aria-label': 'Keys', title: 'Keys (?)', click: () => app.keys.help() }, '?')));
}

function turnTheme(app: App): void {
  app.setTheme(app.theme === 'dark' ? 'light' : 'dark');
}

// Marks in the header which view is at the top of the window.
function followScrolling(app: App, head: HTMLElement, sections: HTMLElement[]): void {
  const mark = (id: string): void => {
    for (const a of head.querySelectorAll('nav a')) a.classList.toggle('on', a.getAttribute('href') === `#${id}`);
    const jump = head.querySelector('select')!;
    if (document.activeElement !== jump) jump.value = id;
    app.address.setView(id === sections[0]?.id ? '' : id);
  };
  const watch = new IntersectionObserver(entries => {
    for (const e of entries) if (e.isIntersecting) mark(e.target.id);
  }, { rootMargin: '-20% 0px -75%' });
  for (const s of sections) watch.observe(s);
}

// The search of the view that is looked at, or else the first of the page.
function focusSearch(app: App): void {
  const here = document.getElementById(app.address.view)?.querySelector<HTMLInputElement>('input[type=search]');
  (here ?? document.querySelector<HTMLInputElement>('main input[type=search]'))?.focus();
}

function bindKeys(app: App): void {
  app.keys.bind('/', 'search in the view', () => focusSearch(app));
  app.keys.bind('t', 'light or dark', () => turnTheme(app));
  app.keys.bind('Escape', 'clear the selection', () => app.select({ name: undefined, event: undefined, start: undefined, end: undefined }));
  app.keys.bind('?', 'these keys', () => app.keys.help());
  let before = app.theme;
  addEventListener('beforeprint', () => { before = app.theme; app.showTheme('light'); });
  addEventListener('afterprint', () => app.showTheme(before));
}

function drawSection(view: View, answer: string): HTMLElement {
  return el('section', { id: view.id, 'aria-labelledby': `${view.id}-title` },
    el('h2', { id: `${view.id}-title` }, view.title), answer && el('p', { class: 'ans' }, answer));
}

// A view that fails says so and leaves the others alone.
function drawView(view: View, host: HTMLElement, app: App): void {
  try {
    view.draw(host, app);
  } catch (error) {
    console.error(error);
    host.append(el('p', { class: 'failed', role: 'alert' }, `This view could not be drawn: ${String(error)}`));
  }
}

// The first views at once; the rest after they have been seen.
async function drawViews(drawn: [View, HTMLElement][], app: App): Promise<void> {
  for (const [i, [view, host]] of drawn.entries()) {
    if (i >= 3) await new Promise(resolve => setTimeout(resolve));
    drawView(view, host, app);
  }
  await app.ready();
  if (app.address.view) document.getElementById(app.address.view)?.scrollIntoView({ behavior: 'instant' });
}

export async function drawPage(host: HTMLElement, app: App): Promise<void> {
  const shown = views.map(v => [v, v.answer(app)] as const).filter(([, answer]) => answer !== null);
  const drawn = shown.map(([view, answer]): [View, HTMLElement] => [view, drawSection(view, answer!)]);
  const head = header(app, drawn.map(([view]) => view));
  const main = el('main', { class: 'wrap' }, ...drawn.map(([, section]) => section));
  host.append(head, main, el('footer', {}, el('div', { class: 'wrap' }, 'longpole. Times are relative to the first event of the trace.')));
  bindKeys(app);
  await drawViews(drawn, app);
  followScrolling(app, head, drawn.map(([, section]) => section));
  host.dataset.ready = '';
}
