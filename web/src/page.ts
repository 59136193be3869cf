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

function header(app: App): HTMLElement {
  const jump = el('select', { class: 'jump', 'aria-label': 'Go to a view', change: () => app.show(jump.value) });
  return el('header', { class: 'top' },
    el('div', { class: 'wrap' }, logo(), el('nav', { 'aria-label': 'Views' }), jump,
      el('button', { class: 'btn', id: 'theme', 'aria-label': 'Switch light or dark', title: 'Light or dark (T)', click: () => turnTheme(app) }, '◐'),
      el('button', { class: 'btn hide-s', 'aria-label': 'Keys', title: 'Keys (?)', click: () => app.keys.help() }, '?')));
}

function listViews(head: HTMLElement, shown: View[]): void {
  head.querySelector('nav')!.append(...shown.map(v => el('a', { href: `#${v.id}` }, v.nav ?? v.title)));
  head.querySelector('select')!.append(...shown.map(v => el('option', { value: v.id }, v.title)));
}

// The overview is drawn before it is known which views there are.
function unlinkAbsent(main: HTMLElement): void {
  for (const a of main.querySelectorAll('.find a')) if (!document.getElementById(a.getAttribute('href')!.slice(1))) a.replaceWith(el('span', {}));
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

// Drawn in two steps: what the small tables suffice for, and the rest when all tables are there.
export class Page {
  private readonly app: App;
  private readonly head: HTMLElement; private readonly main = el('main', { class: 'wrap' });
  private readonly sections = new Map<View, HTMLElement>();

  constructor(host: HTMLElement, app: App) {
    this.app = app;
    this.head = header(app);
    host.append(this.head, this.main);
    bindKeys(app);
  }
  drawFirst(): void {
    for (const [view, section] of this.add(views.filter(v => v.early))) drawView(view, section, this.app);
  }
  async drawRest(): Promise<void> {
    const { app, head, main } = this, fresh = this.add(views);
    const shown = views.filter(v => this.sections.has(v)), sections = shown.map(v => this.sections.get(v)!);
    main.after(el('footer', {}, el('div', { class: 'wrap' }, 'longpole. Times are relative to the first event of the trace.')));
    listViews(head, shown);
    unlinkAbsent(main);
    for (const [view, section] of fresh) {
      await new Promise(resolve => setTimeout(resolve)); // a view is seen before the next is drawn
      drawView(view, section, app);
    }
    await app.ready();
    if (app.address.view) document.getElementById(app.address.view)?.scrollIntoView({ behavior: 'instant' });
    followScrolling(app, head, sections);
    main.parentElement!.dataset.ready = '';
  }
  // Sections, in the order of `views`, of those that have something to show and have none yet.
  private add(candidates: View[]): [View, HTMLElement][] {
    const fresh: [View, HTMLElement][] = [];
    for (const view of candidates) {
      const answer = this.sections.has(view) ? null : view.answer(this.app);
      if (answer === null) continue;
      const section = drawSection(view, answer), after = views.slice(views.indexOf(view) + 1).find(v => this.sections.has(v));
      this.main.insertBefore(section, after ? this.sections.get(after)! : null);
      this.sections.set(view, section);
      fresh.push([view, section]);
    }
    return fresh;
  }
}
