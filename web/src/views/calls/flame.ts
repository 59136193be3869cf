// The flame graph: width is total time, a deeper tint is more time of its own.
import type { App } from '../../app';
import { el } from '../../dom';
import { shortName } from '../../format';
import { nameAt, type CallTree } from './call_tree';
import { frameAt, frames, type Frame } from './flame_layout';

const ROW = 18;

export interface FlameActs { pick(name: string): void; point(node: number): void; zoomed(node: number): void }

// The family of a function, by how its name is written.
function family(name: string): string {
  if (/^\(\d[\d,]* more/.test(name)) return '--mute';
  if (/^(cuda|hip|cu[A-Z]|nccl|rccl)/.test(name)) return '--launch_api';
  if (/\.py\(|\.py:|^<|^nn\.Module|^thread |^Profiler/.test(name)) return '--python';
  return '--cpu_op';
}

export class Flame {
  readonly canvas = el('canvas', { tabindex: 0, role: 'application', class: 'flame' });
  zoom: number; upwards = false; picked = ''; match: Uint8Array | null = null;
  private total: Float64Array = new Float64Array(0); private self: Float64Array = new Float64Array(0);
  private shown: Frame[] = []; private rows = 0; private width = 0; private focus = -1;
  private readonly families: string[];
  private readonly app: App; private readonly t: CallTree; private readonly acts: FlameActs;

  constructor(app: App, t: CallTree, acts: FlameActs) {
    [this.app, this.t, this.acts] = [app, t, acts];
    this.zoom = t.n;
    this.families = t.names.map(family);
    this.canvas.addEventListener('click', e => this.take(this.under(e)));
    this.canvas.addEventListener('pointermove', e => acts.point(this.under(e)?.node ?? -1));
    this.canvas.addEventListener('pointerleave', () => acts.point(-1));
    this.canvas.addEventListener('keydown', e => this.key(e));
  }
  weigh(self: Float64Array, total: Float64Array): void {
    [this.self, this.total] = [self, total];
    while (this.zoom < this.t.n && !total[this.zoom]) this.zoom = this.up(this.zoom);
    this.lay(this.width);
  }
  lay(width: number): void {
    this.width = width;
    if (!width) return;
    this.shown = frames(this.t, this.total, this.zoom, width);
    this.rows = 1 + this.shown.reduce((most, f) => Math.max(most, f.row), 0);
    this.paint();
  }
  up(node: number): number {
    return this.t.parent[node]! < 0 ? this.t.n : this.t.parent[node]!;
  }
  private y(row: number): number {
    return (this.upwards ? this.rows - 1 - row : row) * ROW;
  }
  private under(e: MouseEvent): Frame | undefined {
    const box = this.canvas.getBoundingClientRect(), row = Math.floor((e.clientY - box.top) / ROW);
    return frameAt(this.shown, this.upwards ? this.rows - 1 - row : row, e.clientX - box.left);
  }
  zoomTo(node: number): void {
    this.zoom = node;
    this.focus = node;
    this.lay(this.width);
    this.acts.zoomed(node);
  }
  private take(f: Frame | undefined): void {
    if (!f) return;
    this.zoomTo(f.node);
    if (f.node < this.t.n) this.acts.pick(nameAt(this.t, f.node));
  }
  private key(e: KeyboardEvent): void {
    const at = this.shown.findIndex(f => f.node === this.focus), here = this.shown[at] ?? this.shown[0];
    const down = this.upwards ? 'ArrowUp' : 'ArrowDown', up = this.upwards ? 'ArrowDown' : 'ArrowUp';
    const beside = (by: number): Frame | undefined => (this.shown[at + by]?.row === here?.row ? this.shown[at + by] : undefined);
    const to = e.key === down ? this.shown.find(f => f.row === here!.row + 1 && f.x0 >= here!.x0 - 0.01) : e.key === up ? frameAt(this.shown, here!.row - 1, here!.x0 + 0.01)
      : e.key === 'ArrowRight' ? beside(1) : e.key === 'ArrowLeft' ? beside(-1) : undefined;
    if (e.key === 'Enter') this.take(here);
    else if (e.key === 'Backspace' && this.zoom < this.t.n) this.zoomTo(this.up(this.zoom));
    else if (!/^Arrow/.test(e.key)) return;
    e.preventDefault();
    if (!to) return;
    this.focus = to.node;
    this.acts.point(to.node);
    this.paint();
  }
  paint(): void {
    const ratio = window.devicePixelRatio || 1, c = this.canvas.getContext('2d', { alpha: false })!, height = this.rows * ROW;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.setProperty('height', `${height}px`);
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    const colour = Object.fromEntries(['--bg', '--ink', '--path', '--focus', '--mute', '--launch_api', '--python', '--cpu_op'].map(k => [k, this.app.colour(k)]));
    c.fillStyle = colour['--bg']!;
    c.fillRect(0, 0, this.width, height);
    c.font = '11px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace';
    c.textBaseline = 'middle';
    for (const f of this.shown) this.paintFrame(c, f, colour);
  }
  private paintFrame(c: CanvasRenderingContext2D, f: Frame, colour: Record<string, string>): void {
    const { t } = this, whole = f.node === t.n, id = whole ? -1 : t.name[f.node]!, y = this.y(f.row), wide = f.x1 - f.x0;
    const own = whole || !this.total[f.node] ? 0 : this.self[f.node]! / this.total[f.node]!;
    const dim = this.match && (whole || !this.match[id]) ? 0.35 : 1;
    c.globalAlpha = dim * (whole ? 0.6 : 0.28 + 0.5 * own);
    c.fillStyle = colour[whole ? '--mute' : this.families[id]!]!;
    c.fillRect(f.x0, y, Math.max(wide - 1, 0.7), ROW - 1);
    c.globalAlpha = 1;
    if (!whole && this.picked && t.names[id] === this.picked && wide > 3) this.outline(c, f, y, colour['--path']!);
    if (f.node === this.focus && document.activeElement === this.canvas) this.outline(c, f, y, colour['--focus']!);
    const most = Math.floor((wide - 8) / 6.7);
    if (most < 3) return;
    const text = whole ? 'all' : shortName(t.names[id]!.slice(0, 400));
    c.globalAlpha = dim < 1 ? 0.6 : 1;
    c.fillStyle = colour['--ink']!;
    c.fillText(text.length > most ? `${text.slice(0, most - 1)}…` : text, f.x0 + 4, y + ROW / 2);
    c.globalAlpha = 1;
  }
  private outline(c: CanvasRenderingContext2D, f: Frame, y: number, colour: string): void {
    c.strokeStyle = colour;
    c.lineWidth = 2;
    c.strokeRect(f.x0 + 1, y + 1, f.x1 - f.x0 - 3, ROW - 3);
  }
}
