// The timeline's controls and canvases, and what happens when they are used.
import type { Selection } from '../../app';
import { el } from '../../dom';
import { count, duration } from '../../format';
import { drawDetail, facts, slackOf, Tip } from './facts';
import { lowerBound } from './spans';
import { layOut, rowAt } from './layout';
import { nameOf, shelfOf } from './lanes';
import { launchedBy, paint, sizeCanvas } from './paint';
import { takePointers } from './pointer';
import { inkOf } from './raster';
import { nextHit, search, searchText } from './search';
import type { State } from './state';
import { Strip } from './strip';
import { Tiles } from './tiles';
import { Viewport } from './viewport';

const COLOURS = ['bg', 'panel', 'ink', 'ink2', 'ink3', 'rule', 'rule2', 'path', 'onpath', 'mute', 'mute2', 'mute3', 'link', 'hatch', 'compute', 'comm', 'copy',
  'cpu_op', 'python', 'data_loading', 'launch_api', 'runtime_other', 'launch_queue', 'gpu_gap', 'sync', 'idle', 'idle_unknown'].map(name => `--${name}`);

function inSight(host: HTMLElement): boolean {
  const box = host.getBoundingClientRect();
  return box.bottom > 60 && box.top < innerHeight - 60;
}

export class TimelinePane {
  readonly tools: HTMLElement; readonly box: HTMLElement;
  private readonly s: State;
  private readonly canvas = el('canvas', { class: 'pane', tabindex: 0, role: 'application' });
  private readonly strip: Strip;
  private readonly scroll = el('div', { class: 'tl-scroll' }, this.canvas);
  private readonly detail = el('div', { class: 'det', 'aria-live': 'polite' });
  private readonly field = el('input', { type: 'search', placeholder: 'Search events  /', 'aria-label': 'Search events', input: () => this.find(this.field.value) });
  private readonly found = el('span', { class: 'dim', 'aria-live': 'polite' });
  private readonly hits = el('span', { class: 'seg', hidden: true }, this.button('‹', 'Previous match', () => this.hit(-1)), this.button('›', 'Next match (Enter)', () => this.hit(1)));
  private readonly colours = this.button('Colour by class', 'Colour by class (C)', () => this.recolour());
  private readonly lanes = this.button('', 'Show every lane', () => this.allLanes());
  private readonly tip = new Tip();
  private readonly tiles: Tiles | null;
  private readonly slack: (bar: number) => number | null;
  private c: CanvasRenderingContext2D | null = null;
  private frame = 0; private told = 0;
  private asked: Selection = {}; private telling = false;

  constructor(s: State) {
    this.s = s;
    s.view = new Viewport(s.lanes.start, s.lanes.end, () => this.moved());
    this.slack = slackOf(s);
    this.tiles = s.app.server && s.whole.merged ? new Tiles(s, s.app.server, () => this.replaced()) : null;
    this.strip = new Strip(el('canvas', { class: 'strip', 'aria-hidden': 'true' }), s);
    this.colours.setAttribute('aria-pressed', 'false');
    this.tools = el('div', { class: 'tools' }, this.field, this.hits, this.found,
      el('span', { class: 'sp seg' }, this.button('‹ path', 'Previous path segment (P)', () => this.segment(-1)), this.button('path ›', 'Next path segment (N)', () => this.segment(1))),
      this.colours, this.lanes,
      el('span', { class: 'seg' }, this.button('+', 'Zoom in (W)', () => s.view.zoom(0.5)), this.button('−', 'Zoom out (S)', () => s.view.zoom(2)), this.button('All', 'Whole window (0)', () => s.view.all())));
    this.box = el('div', { class: 'tl' }, this.strip.canvas, this.scroll, this.detail);
    this.canvas.setAttribute('aria-label', this.label());
  }
  private button(text: string, title: string, click: () => void): HTMLButtonElement {
    return el('button', { class: 'btn', title, 'aria-label': title, click }, text);
  }
  private label(): string {
    const { lanes } = this.s;
    return `Timeline of ${count(lanes.lane.length)} lanes and ${count(lanes.name.length)} events. Keys: W S zoom, A D pan, N P path segments, arrows go from event to event, 0 all. ` +
      lanes.lane.filter(l => l.kind !== 'annotation').slice(0, 12).map(l => `${l.name}: busy ${duration(l.busy)}`).join('; ');
  }
  // Once the host is on the page: sizes are known.
  start(host: HTMLElement): void {
    takePointers(this.canvas, this.s, { hover: (bar, x, y) => this.hover(bar, x, y), select: bar => this.select(bar), fold: y => this.fold(y), measured: () => { this.describe(); this.redraw(); } });
    this.keys(host);
    this.field.addEventListener('keydown', e => this.fieldKey(e));
    this.s.app.whenThemed(() => this.themed());
    this.s.app.whenSelected(selection => this.follow(selection));
    new ResizeObserver(() => this.resize()).observe(this.box);
    this.themed();
    this.restore();
  }
  // As the page's address says.
  private restore(): void {
    const [start, end] = (this.s.app.address.get('t') ?? '').split('-').map(Number), { event } = this.s.app.selection;
    if (start !== undefined && end !== undefined && end > start) this.s.view.show(start, end);
    if (event !== undefined && event < this.s.lanes.name.length) this.choose(event);
    this.describe();
  }
  private themed(): void {
    const { s } = this;
    for (const name of COLOURS) s.colour[name] = s.app.colour(name);
    for (const name of COLOURS) s.ink[name] = inkOf(s.colour[name]!, s.colour['--bg']!);
    this.strip.resize();
    this.redraw();
  }
  private resize(): void {
    const width = this.box.clientWidth;
    if (width > 0 && width !== this.s.width) this.lay(width);
  }
  private lay(width: number): void {
    const { s } = this;
    s.width = width;
    s.ratio = window.devicePixelRatio || 1;
    s.layout = layOut(s.lanes, width, s.opened, s.allLanes);
    this.c = sizeCanvas(this.canvas, width, s.layout.height);
    this.strip.resize();
    this.lanes.hidden = !s.layout.hidden && !s.allLanes;
    this.lanes.textContent = s.allLanes ? 'Main lanes' : `${count(s.layout.hidden)} more lanes`;
    this.paint();
  }
  redraw(): void {
    if (!this.frame) this.frame = requestAnimationFrame(() => this.paint());
  }
  private paint(): void {
    this.frame = 0;
    if (!this.c) return;
    paint(this.c, this.s);
    this.strip.paint();
  }
  private moved(): void {
    this.redraw();
    this.describe();
    clearTimeout(this.told);
    this.told = window.setTimeout(() => this.tell(), 250);
  }
  // Other bars are there: what was found among the old ones is looked up again.
  private replaced(): void {
    const { s } = this;
    s.launched = s.selected < 0 ? [] : launchedBy(s, s.selected);
    this.asked.event = s.selected < 0 ? undefined : s.selected;
    this.describe();
    this.redraw();
  }
  private tell(): void {
    void this.tiles?.look().catch((error: unknown) => console.warn(error));
    const { view, app } = this.s;
    const now = view.whole ? {} : { start: Math.round(view.t0), end: Math.round(view.t1) };
    this.asked = { ...this.asked, start: now.start, end: now.end };
    this.telling = true;
    app.select({ start: now.start, end: now.end });
    this.telling = false;
    app.address.set('t', now.start === undefined ? undefined : `${now.start}-${now.end}`);
  }
  // Another view, the page's address or Esc has asked for an event or a stretch of time.
  private follow({ start, end, event }: Selection): void {
    if (this.telling) return;
    const { s } = this, was = this.asked;
    this.asked = { start, end, event };
    if (event !== was.event && (event ?? -1) !== s.selected) this.choose(event !== undefined && event < s.lanes.name.length ? event : -1);
    if (event === undefined && s.measure) this.choose(-1);
    if (start === undefined || end === undefined || (start === was.start && end === was.end)) return; // Esc keeps the stretch
    if (Math.abs(start - s.view.t0) > 1 || Math.abs(end - s.view.t1) > 1) s.view.show(start, end);
  }
  private describe(): void {
    drawDetail(this.detail, this.s, this.slack);
  }
  private hover(bar: number, x: number, y: number): void {
    const { s } = this;
    if (bar < 0) this.tip.hide();
    else this.tip.show(x, y, nameOf(s.lanes, bar), facts(s, bar, this.slack));
    if (bar === s.hovered) return;
    s.hovered = bar;
    this.canvas.style.setProperty('cursor', bar < 0 ? 'default' : 'pointer');
    this.redraw();
    if (s.selected < 0) this.describe();
  }
  private choose(bar: number): void {
    this.s.measure = null;
    this.s.selected = bar;
    this.s.launched = bar < 0 ? [] : launchedBy(this.s, bar);
    this.describe();
    this.redraw();
  }
  private select(bar: number): void {
    this.choose(bar);
    this.s.app.select(bar < 0 ? { event: undefined } : { event: bar, name: nameOf(this.s.lanes, bar) });
  }
  // Shows a bar: as near as it is now, or nearer.
  private goTo(bar: number): void {
    const { view, lanes } = this.s, start = lanes.bars.start[bar]!, dur = lanes.bars.end[bar]! - start;
    const span = Math.min(Math.max(dur * 4, view.span / 8, 600), Math.max(view.span, dur * 4));
    this.select(bar);
    view.show(start + dur / 2 - span / 2, start + dur / 2 + span / 2);
  }
  private segment(direction: 1 | -1): void {
    const { s } = this, { lanes, view } = s, path = lanes.lane.find(l => l.kind === 'path');
    if (!path) return;
    const from = lanes.bars.shelf[path.shelf]!, past = lanes.bars.shelf[path.shelf + 1]!;
    const on = s.selected >= from && s.selected < past;
    const next = on ? s.selected + direction : Math.min(past - 1, lowerBound(lanes.bars.end, (view.t0 + view.t1) / 2 + 1, from, past));
    if (next >= from && next < past) this.goTo(next);
  }
  private recolour(): void {
    this.s.byClass = !this.s.byClass;
    this.colours.setAttribute('aria-pressed', String(this.s.byClass));
    this.redraw();
  }
  private allLanes(): void {
    this.s.allLanes = !this.s.allLanes;
    this.lay(this.s.width);
  }
  private fold(y: number): void {
    const row = rowAt(this.s.layout, y), { opened } = this.s;
    if (!row || row.lane.depth <= 8) return;
    if (!opened.delete(row.lane)) opened.add(row.lane);
    this.lay(this.s.width);
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
    if (s.search?.events) this.goTo(nextHit(s.lanes, s.search, s.selected, direction));
  }
  private fieldKey(e: KeyboardEvent): void {
    if (e.key === 'Enter') this.hit(e.shiftKey ? -1 : 1);
    if (e.key !== 'Escape') return;
    this.field.value = '';
    this.find('');
    this.canvas.focus();
  }
  // From event to event on a shelf, and to what lies above or below.
  private step(along: number, across: number): void {
    const { s } = this, { bars } = s.lanes;
    if (s.selected < 0) return this.segment(1);
    const shelf = shelfOf(s.lanes, s.selected), to = s.selected + along;
    if (along && to >= bars.shelf[shelf]! && to < bars.shelf[shelf + 1]!) this.goTo(to);
    for (let next = shelf + across; across && next >= 0 && next + 1 < bars.shelf.length; next += across) {
      const from = bars.shelf[next]!, past = bars.shelf[next + 1]!, i = lowerBound(bars.start, bars.start[s.selected]!, from, past);
      if (past > from) return this.goTo(Math.min(i, past - 1));
    }
  }
  // Keys act while the timeline is in sight; arrows only while it has the focus: elsewhere they scroll.
  private keys(host: HTMLElement): void {
    const { view } = this.s, { keys } = this.s.app;
    const bind = (names: string, help: string, act: (key: string) => void): void => keys.bind(names, help, key => {
      if (!inSight(host)) host.scrollIntoView({ block: 'start' });
      act(key);
    });
    bind('w s', 'zoom the timeline', key => view.zoom(key === 'w' ? 0.7 : 1 / 0.7));
    bind('a d', 'pan', key => view.pan(key === 'a' ? -0.15 : 0.15));
    bind('n p', 'next, previous path segment', key => this.segment(key === 'n' ? 1 : -1));
    bind('f', 'fit the selection', () => this.fit());
    bind('0', 'the whole window', () => view.all());
    bind('c', 'colour by class', () => this.recolour());
    const arrows: Record<string, () => void> = {
      ArrowLeft: () => this.step(-1, 0), ArrowRight: () => this.step(1, 0), ArrowUp: () => this.step(0, -1), ArrowDown: () => this.step(0, 1), Enter: () => this.fit(),
    };
    this.canvas.addEventListener('keydown', e => {
      if (!arrows[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
      e.preventDefault();
      arrows[e.key]!();
    });
  }
  private fit(): void {
    const { selected, view, lanes } = this.s;
    if (selected >= 0) view.fit(lanes.bars.start[selected]!, lanes.bars.end[selected]!, 0.5);
  }
}
