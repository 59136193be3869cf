// A tree as a table whose rows are made when they are opened. What is open is known by the path of
// names, so it stays open when the weight changes.
import { plainBar } from '../../bars';
import { el, styled } from '../../dom';
import { count, fixed, scaleOf } from '../../format';

export interface Item { name: string; total: number; calls: number; children: (() => Item[]) | null }

const FIRST = 12, MORE = 50;

export class TreeRows {
  readonly table = el('table', { role: 'treegrid', class: 'calltree' });
  picked = '';
  private readonly open = new Set<string>(); private readonly limit = new Map<string, number>();
  private roots: Item[] = []; private whole = 1; private scale = scaleOf('nsec', 0); private unit = ''; private heading = ''; private at = '';
  private readonly pick: (name: string) => void;

  constructor(pick: (name: string) => void) {
    this.pick = pick;
    this.table.addEventListener('keydown', e => this.key(e));
  }
  show(roots: Item[], whole: number, heading: string, unit: string): void {
    [this.roots, this.whole, this.heading, this.unit] = [roots, whole || 1, heading, unit];
    this.scale = scaleOf('nsec', Math.min(whole, 1e9)); // seconds would hide what is small
    this.draw();
  }
  draw(): void {
    const body = el('tbody', {}), focused = this.table.contains(document.activeElement);
    this.list(body, this.roots, '', 0);
    this.table.replaceChildren(el('thead', {}, el('tr', {}, el('th', { class: 'clip' }, this.heading), el('th', { class: 'r' }, `${this.unit} ${this.scale.unit}`), el('th', { class: 'r' }, '%'),
      el('th', { class: 'hide-s wide', 'aria-label': 'share, as a bar' }), el('th', { class: 'r hide-s' }, 'Calls'))), body);
    const rows = [...body.querySelectorAll<HTMLElement>('tr[data-key]')], here = rows.find(r => r.dataset.key === this.at) ?? rows[0];
    here?.setAttribute('tabindex', '0');
    if (focused) here?.focus();
  }
  private list(body: HTMLElement, items: Item[], path: string, depth: number): void {
    const open: { items: Item[]; path: string; depth: number; next: number }[] = [{ items, path, depth, next: 0 }];
    while (open.length) {
      const level = open[open.length - 1]!, most = this.limit.get(level.path) ?? (level.depth ? MORE : FIRST);
      if (level.next >= Math.min(level.items.length, most + this.extra(level))) {
        if (level.items.length > level.next) body.append(this.more(level.path, level.items.length - level.next, level.depth, most));
        open.pop();
        continue;
      }
      const item = level.items[level.next++]!, key = `${level.path}\0${item.name}`, isOpen = this.open.has(key);
      body.append(this.row(item, key, level.depth, isOpen));
      if (isOpen && item.children) open.push({ items: item.children(), path: key, depth: level.depth + 1, next: 0 });
    }
  }
  // The picked function is a root that is always shown.
  private extra(level: { items: Item[]; depth: number }): number {
    if (level.depth || !this.picked) return 0;
    const at = level.items.findIndex(i => i.name === this.picked);
    if (at < FIRST) return 0;
    level.items = [...level.items.slice(0, FIRST), level.items[at]!, ...level.items.slice(FIRST, at), ...level.items.slice(at + 1)];
    return 1;
  }
  private more(path: string, n: number, depth: number, most: number): HTMLElement {
    const button = el('button', { class: 'btn', click: () => { this.limit.set(path, most + MORE); this.draw(); } }, `${count(n)} more`);
    return el('tr', { class: 'foldr' }, el('td', { colspan: 3 }, styled(el('div', {}, button), { 'padding-left': `${16 + Math.min(depth, 12) * 14}px` })), el('td', { class: 'hide-s', colspan: 2 }));
  }
  private row(item: Item, key: string, depth: number, open: boolean): HTMLElement {
    const toggle = el('button', { class: 'tri', tabindex: -1, 'aria-label': `${open ? 'Close' : 'Open'} ${item.name.slice(0, 200)}`, click: e => { e.stopPropagation(); this.toggle(key); } }, open ? '▾' : '▸');
    if (!item.children) styled(toggle, { visibility: 'hidden' });
    const name = styled(el('div', { class: 'cell' }, toggle, el('span', { class: 'clip', dir: 'auto' }, item.name.slice(0, 2000))), { 'padding-left': `${Math.min(depth, 12) * 14}px` });
    return el('tr', {
      class: this.picked === item.name && 'sel', 'data-key': key, tabindex: -1, 'aria-level': depth + 1, 'aria-expanded': item.children ? String(open) : null,
      'aria-selected': String(this.picked === item.name), click: () => { this.at = key; this.pick(item.name); },
    }, el('td', { class: 'n', title: item.name.slice(0, 4000) }, name), el('td', { class: 'r' }, fixed(item.total / this.scale.by, 2)), el('td', { class: 'r dim' }, fixed(100 * item.total / this.whole, 1)),
      el('td', { class: 'hide-s' }, plainBar(item.total / this.whole)), el('td', { class: 'r hide-s' }, count(item.calls)));
  }
  private toggle(key: string): void {
    if (!this.open.delete(key)) this.open.add(key);
    this.at = key;
    this.draw();
  }
  private key(e: KeyboardEvent): void {
    const row = (e.target as HTMLElement).closest<HTMLElement>('tr[data-key]');
    if (!row || e.ctrlKey || e.metaKey || e.altKey) return;
    const key = row.dataset.key!, open = this.open.has(key), go = (to: Element | null | undefined): void => {
      if (!(to instanceof HTMLElement) || !to.dataset.key) return;
      row.tabIndex = -1;
      to.tabIndex = 0;
      this.at = to.dataset.key;
      to.focus();
    };
    const acts: Record<string, () => void> = {
      ArrowDown: () => go(row.nextElementSibling), ArrowUp: () => go(row.previousElementSibling),
      ArrowRight: () => (row.hasAttribute('aria-expanded') && !open ? this.toggle(key) : go(row.nextElementSibling)),
      ArrowLeft: () => (open ? this.toggle(key) : go(this.table.querySelector(`tr[data-key="${CSS.escape(key.slice(0, key.lastIndexOf('\0')))}"]`))),
      Enter: () => row.click(),
    };
    if (!acts[e.key]) return;
    e.preventDefault();
    acts[e.key]!();
  }
}
