// What the views share: the answer, the theme, the selection, the keys and the page's address.
import { Address } from './address';
import type { Answer } from './data';
import { Keys } from './keys';
import type { Server } from './server';

// A view of the page. `answer` is its one sentence, made of the data; null: there is nothing to
// show, and the table `missing` says why.
export interface View {
  id: string;
  title: string;
  early?: boolean; // needs small tables only, and stands where a reader looks first
  nav?: string; // a shorter title
  tables?: string[]; // what it shows; the rest of an answer is shown as it is
  answer(app: App): string | null;
  draw(host: HTMLElement, app: App): void;
}

export interface Selection {
  name?: string | undefined;  // a function, operator or kernel: survives zoom, inversion and filters
  event?: number | undefined; // a row of picture_events
  start?: number | undefined; // a stretch of time, ns
  end?: number | undefined;
}

type Listener<T> = (value: T) => void;

export class App {
  answer: Answer; // only its small tables, until all have been read
  server: Server | null = null; // null: the page is a file
  readonly address = new Address();
  readonly keys = new Keys();
  private selected: Selection = {};
  private onSelection: Listener<Selection>[] = [];
  private onTheme: Listener<string>[] = [];
  private waits: Promise<void>[] = [];

  constructor(answer: Answer) {
    this.answer = answer;
    this.selected = { name: this.address.get('name') };
  }
  get selection(): Selection {
    return this.selected;
  }
  select(change: Selection): void {
    this.selected = { ...this.selected, ...change };
    this.address.set('name', this.selected.name);
    for (const f of this.onSelection) f(this.selected);
  }
  whenSelected(f: Listener<Selection>): void {
    this.onSelection.push(f);
  }
  // The page is ready when what its views wait for is done.
  wait(done: Promise<void>): void {
    this.waits.push(done);
  }
  async ready(): Promise<void> {
    await Promise.all(this.waits);
  }
  get theme(): string {
    return document.documentElement.dataset.theme ?? 'light';
  }
  setTheme(theme: string): void {
    this.showTheme(theme);
    try {
      localStorage.setItem('lp-theme', theme);
    } catch {
      // file:// in a private window: the choice lasts as long as the page
    }
  }
  // For now, as printing does.
  showTheme(theme: string): void {
    document.documentElement.dataset.theme = theme;
    for (const f of this.onTheme) f(theme);
  }
  // Goes to a view; what is chosen in the views stays.
  show(view: string): void {
    this.address.setView(view);
    document.getElementById(view)?.scrollIntoView();
  }
  // Canvases read their colours from the style sheet again.
  whenThemed(f: Listener<string>): void {
    this.onTheme.push(f);
  }
  // The value of a custom property of the style sheet: "--path".
  colour(property: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(property).trim();
  }
}
