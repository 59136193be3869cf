// The timeline's controls and canvases, and what happens when they are used.
import type { Selection } from '../../app';
import { button, el } from '../../dom';
import { count, duration } from '../../format';
import { drawDetail, facts, slackOf, Tip } from './facts';
import { Finder } from './finder';
import { bindKeys } from './pane_keys';
import { layOut, rowAt } from './layout';
import { nameOf } from './lanes';
import { launchedBy, paint, sizeCanvas } from './paint';
import { takePointers } from './pointer';
import { inkOf } from './raster';
import type { State } from './state';
import { Strip } from './strip';
import { Tiles } from './tiles';
import { Viewport } from './viewport';
import { Walker } from './walker';

const COLOURS = ['bg', 'panel', 'ink', 'ink2', 'ink3', 'rule', 'rule2', 'path', 'onpath', 'mute', 'mute2', 'mute3', 'link', 'hatch', 'compute', 'comm', 'copy',
  'cpu_op', 'python', 'data_loading', 'launch_api', 'runtime_other', 'launch_queue', 'gpu_gap', 'sync', 'idle', 'idle_unknown'].map(name => `--${name}`);

export class TimelinePane {
  readonly tools: HTMLElement; readonly box: HTMLElement;
  private readonly s: State;
  private readonly canvas = el('canvas', { class: 'pane', tabindex: 0, role: 'application' });
  private readonly strip: Strip;
  private readonly scroll = el('div', { class: 'tl-scroll' }, this.canvas);
  private readonly detail = el('div', { class: 'det', 'aria-live': 'polite' });
  private readonly walker: Walker;
  private readonly colours = button('Colour by class', 'Colour by class (C)', () => this.recolour());
  private readonly lanes = button('', 'Show every lane', () => this.allLanes());
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
    this.walker = new Walker(s, bar => this.select(bar));
    const finder = new Finder(s, this.walker, () => this.redraw(), () => this.canvas.focus());
    this.colours.setAttribute('aria-pressed', 'false');
    this.tools = el('div', { class: 'tools' }, ...finder.elements,
      el('span', { class: 'sp seg' }, button('‹ path', 'Previous path segment (P)', () => this.walker.segment(-1)), button('path ›', 'Next path segment (N)', () => this.walker.segment(1))),
      this.colours, this.lanes,
      el('span', { class: 'seg' }, button('+', 'Zoom in (W)', () => s.view.zoom(0.5)), button('−', 'Zoom out (S)', () => s.view.zoom(2)), button('All', 'Whole window (0)', () => s.view.all())));
    this.box = el('div', { class: 'tl' }, this.strip.canvas, this.scroll, this.detail);
    this.canvas.setAttribute('aria-label', this.label());
  }
  private label(): string {
    const { lanes } = this.s;
    return `Timeline of ${count(lanes.lane.length)} lanes and ${count(lanes.name.length)} events. Keys: W S zoom, A D pan, N P path segments, arrows go from event to event, 0 all. ` +
      lanes.lane.filter(l => l.kind !== 'annotation').slice(0, 12).map(l => `${l.name}: busy ${duration(l.busy)}`).join('; ');
  }
  // Once the host is on the page: sizes are known.
  start(host: HTMLElement): void {
    takePointers(this.canvas, this.s, { hover: (bar, x, y) => this.hover(bar, x, y), select: bar => this.select(bar), fold: y => this.fold(y), measured: () => { this.describe(); this.redraw(); } });
    bindKeys(host, this.canvas, this.s, this.walker, () => this.recolour());
    this.s.app.whenThemed(() => this.themed());
    this.s.app.whenSelected(selection => this.follow(selection));
    new ResizeObserver(() => this.resize()).observe(this.box);
    this.themed();
    this.restore();
  }
  // As the page's address says.
  private restore(): void {
    const { address, selection } = this.s.app, [start, end] = (address.get('t') ?? '').split('-').map(Number);
    const event = selection.event ?? Number(address.get('event') ?? NaN);
    if (start !== undefined && end !== undefined && end > start) this.s.view.show(start, end);
    if (event >= 0 && event < this.s.lanes.name.length) this.choose(event);
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
    if (!this.tiles) this.s.app.address.set('event', bar < 0 ? undefined : String(bar)); // tiles number their bars anew
    this.describe();
    this.redraw();
  }
  private select(bar: number): void {
    this.choose(bar);
    this.s.app.select(bar < 0 ? { event: undefined } : { event: bar, name: nameOf(this.s.lanes, bar) });
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
}
