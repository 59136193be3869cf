// The strip above the timeline: how busy the GPU is over the whole trace, by class, and the window.
import type { Lanes } from './lanes';
import { FONT, sizeCanvas } from './paint';
import type { State } from './state';

export const STRIP = 36;
const CLASSES = [['compute', '--compute'], ['communication', '--comm'], ['memory', '--copy']] as const;

// The busy share of each pixel column, per class; lanes of one class may overlap, so at most 1.
export function busyColumns(l: Lanes, width: number): Float32Array[] {
  const found = CLASSES.map(() => new Float32Array(width)), k = width / Math.max(1, l.end - l.start);
  const slot = l.classes.map(c => CLASSES.findIndex(([name]) => name === c));
  for (const lane of l.lane)
    if (lane.kind === 'stream')
      for (let i = l.bars.shelf[lane.shelf]!; i < l.bars.shelf[lane.shelf + lane.depth]!; i++) {
        const into = found[slot[l.cls[i]!]!];
        if (into) spread(into, (l.bars.start[i]! - l.start) * k, (l.bars.end[i]! - l.start) * k, l.bars.sum[i + 1]! - l.bars.sum[i]!, k);
      }
  return found;
}

function spread(into: Float32Array, x0: number, x1: number, busy: number, k: number): void {
  const density = x1 > x0 ? Math.min(1, (busy * k) / (x1 - x0)) : 0;
  for (let x = Math.floor(x0); x <= x1 && x < into.length; x++) into[x]! += density * Math.max(0, Math.min(x + 1, x1) - Math.max(x, x0));
}

export class Strip {
  readonly canvas: HTMLCanvasElement;
  private readonly s: State;
  private c: CanvasRenderingContext2D | null = null;
  private image: HTMLCanvasElement | null = null; // without the window, which moves

  constructor(canvas: HTMLCanvasElement, s: State) {
    this.canvas = canvas;
    this.s = s;
    this.drag();
  }
  resize(): void {
    this.c = sizeCanvas(this.canvas, this.s.width, STRIP);
    this.image = document.createElement('canvas');
    this.paintImage(sizeCanvas(this.image, this.s.width, STRIP));
  }
  private paintImage(c: CanvasRenderingContext2D): void {
    const { s } = this, g = s.layout.gutter, width = Math.max(1, Math.floor(s.width - g)), busy = busyColumns(s.whole, width);
    c.fillStyle = s.colour['--panel']!;
    c.fillRect(0, 0, s.width, STRIP);
    for (let x = 0; x < width; x++)
      for (let k = 0, y = STRIP - 3, left = 1; k < CLASSES.length; k++) {
        const v = Math.min(left, busy[k]![x]!), height = v * (STRIP - 8);
        c.fillStyle = s.colour[CLASSES[k]![1]]!;
        c.fillRect(g + x, y -= height, 1, height);
        left -= v;
      }
    c.font = FONT;
    c.textBaseline = 'middle';
    c.fillStyle = s.colour['--ink2']!;
    if (g) c.fillText('GPU busy', 8, STRIP / 2);
  }
  paint(): void {
    const { c, s } = this, g = s.layout.gutter, k = (s.width - g) / (s.view.last - s.view.first);
    if (!c || !this.image) return;
    c.globalAlpha = 1;
    c.drawImage(this.image, 0, 0, s.width, STRIP);
    const a = g + (s.view.t0 - s.view.first) * k, b = g + (s.view.t1 - s.view.first) * k;
    c.globalAlpha = 0.72;
    c.fillStyle = s.colour['--bg']!;
    c.fillRect(g, 0, a - g, STRIP);
    c.fillRect(b, 0, s.width - b, STRIP);
    c.globalAlpha = 1;
    c.lineWidth = 1;
    c.strokeStyle = s.colour['--ink2']!;
    c.strokeRect(a + 0.5, 0.5, Math.max(2, b - a - 1), STRIP - 1);
  }
  private drag(): void {
    const { view } = this.s;
    let held = NaN; // where in the window the pointer took it, in time
    const time = (e: PointerEvent): number => {
      const box = this.canvas.getBoundingClientRect(), g = this.s.layout.gutter;
      return view.first + (e.clientX - box.left - g) / (box.width - g) * (view.last - view.first);
    };
    const move = (e: PointerEvent): void => {
      if (!Number.isNaN(held)) view.show(time(e) - held, time(e) - held + view.span);
    };
    this.canvas.addEventListener('pointerdown', e => {
      this.canvas.setPointerCapture(e.pointerId);
      if (view.whole) view.show(view.first, view.first + view.span / 6);
      const t = time(e);
      held = t >= view.t0 && t < view.t1 ? t - view.t0 : view.span / 2;
      move(e);
    });
    this.canvas.addEventListener('pointermove', move);
    for (const end of ['pointerup', 'pointercancel']) this.canvas.addEventListener(end, () => (held = NaN));
  }
}
