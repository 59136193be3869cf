// The timeline's search field, what it found, and the way from one match to the next.
import { button, el } from '../../dom';
import { nextHit, search, searchText } from './search';
import type { State } from './state';
import type { Walker } from './walker';

export class Finder {
  readonly elements: HTMLElement[];
  private readonly s: State; private readonly walker: Walker;
  private readonly redraw: () => void; private readonly leave: () => void;
  private readonly field = el('input', { type: 'search', placeholder: 'Search events  /', 'aria-label': 'Search events', input: () => this.find(this.field.value) });
  private readonly found = el('span', { class: 'dim', 'aria-live': 'polite' });
  private readonly hits = el('span', { class: 'seg', hidden: true }, button('‹', 'Previous match', () => this.hit(-1)), button('›', 'Next match (Enter)', () => this.hit(1)));

  constructor(s: State, walker: Walker, redraw: () => void, leave: () => void) {
    this.s = s;
    this.walker = walker;
    this.redraw = redraw;
    this.leave = leave;
    this.field.addEventListener('keydown', e => this.key(e));
    this.elements = [this.field, this.hits, this.found];
  }
  private find(text: string): void {
    const { s } = this;
    s.search = search(s.lanes, text);
    this.found.textContent = s.search ? searchText(s.lanes, s.search) : '';
    this.hits.hidden = !s.search?.events;
    this.redraw();
  }
  private hit(direction: 1 | -1): void {
    const { s } = this;
    if (s.search?.events) this.walker.goTo(nextHit(s.lanes, s.search, s.selected, direction));
  }
  private key(e: KeyboardEvent): void {
    if (e.key === 'Enter') this.hit(e.shiftKey ? -1 : 1);
    if (e.key !== 'Escape') return;
    this.field.value = '';
    this.find('');
    this.leave();
  }
}
