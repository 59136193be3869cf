// Mouse, pen and fingers on the canvas. The plain wheel is the page's: a canvas must not trap it.
import { barAt } from './spans';
import { rowAt, shelfAt } from './layout';
import { perNs, timeAt, type State } from './state';

export interface Acts { hover(bar: number, x: number, y: number): void; select(bar: number): void; fold(y: number): void; measured(): void }

export function hit(s: State, x: number, y: number): number {
  const row = x >= s.layout.gutter ? rowAt(s.layout, y) : undefined;
  return row ? barAt(s.lanes.bars, shelfAt(row, y), timeAt(s, x), 1.5 / perNs(s)) : -1;
}

interface Held { x: number; t0: number; t1: number; moved: boolean; measures: boolean }

class Pointers {
  private held: Held | null = null;
  private readonly fingers = new Map<number, number>(); // x of each
  private readonly canvas: HTMLCanvasElement; private readonly s: State; private readonly acts: Acts;

  constructor(canvas: HTMLCanvasElement, s: State, acts: Acts) {
    [this.canvas, this.s, this.acts] = [canvas, s, acts];
  }
  place(e: MouseEvent): [x: number, y: number] {
    const box = this.canvas.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  }
  down(e: PointerEvent): void {
    const [x] = this.place(e), { view } = this.s;
    this.canvas.setPointerCapture(e.pointerId);
    this.fingers.set(e.pointerId, x);
    this.held = { x, t0: view.t0, t1: view.t1, moved: this.fingers.size > 1, measures: e.shiftKey };
    if (e.shiftKey) this.s.measure = [timeAt(this.s, x), timeAt(this.s, x)];
  }
  move(e: PointerEvent): void {
    const [x, y] = this.place(e);
    if (this.fingers.size > 1) return this.pinch(e.pointerId, x);
    if (!this.held) return this.acts.hover(hit(this.s, x, y), e.clientX, e.clientY);
    this.fingers.set(e.pointerId, x);
    this.drag(this.held, x);
  }
  private drag(h: Held, x: number): void {
    if (Math.abs(x - h.x) > 3) h.moved = true;
    if (h.measures) {
      this.s.measure![1] = timeAt(this.s, x);
      this.acts.measured();
    } else if (h.moved) {
      const by = (x - h.x) * (h.t1 - h.t0) / (this.s.width - this.s.layout.gutter);
      this.s.view.show(h.t0 - by, h.t1 - by);
    }
    this.acts.hover(-1, 0, 0);
  }
  private pinch(id: number, x: number): void {
    const spread = (): number => Math.max(12, Math.max(...this.fingers.values()) - Math.min(...this.fingers.values())), before = spread();
    this.fingers.set(id, x);
    const middle = (Math.max(...this.fingers.values()) + Math.min(...this.fingers.values())) / 2;
    this.s.view.zoom(before / spread(), timeAt(this.s, middle));
  }
  up(e: PointerEvent): void {
    const [x, y] = this.place(e), h = this.held;
    this.fingers.delete(e.pointerId);
    this.held = null;
    if (!h || h.moved) return;
    if (!h.measures) this.s.measure = null;
    if (x < this.s.layout.gutter || this.s.layout.narrow && hit(this.s, x, y) < 0) this.acts.fold(y);
    else this.acts.select(hit(this.s, x, y));
  }
  cancel(e: PointerEvent): void {
    this.fingers.delete(e.pointerId);
    this.held = null;
  }
}

function wheel(e: WheelEvent, s: State, x: number): void {
  if (e.ctrlKey || e.metaKey || e.altKey) s.view.zoom(Math.exp(Math.max(-120, Math.min(120, e.deltaY)) * 0.004), timeAt(s, x));
  else if (Math.abs(e.deltaX) > Math.abs(e.deltaY) || e.shiftKey) s.view.pan((e.deltaX || e.deltaY) / s.width);
  else return;
  e.preventDefault();
}

export function takePointers(canvas: HTMLCanvasElement, s: State, acts: Acts): void {
  const p = new Pointers(canvas, s, acts);
  canvas.addEventListener('pointerdown', e => p.down(e));
  canvas.addEventListener('pointermove', e => p.move(e));
  canvas.addEventListener('pointerup', e => p.up(e));
  canvas.addEventListener('pointercancel', e => p.cancel(e));
  canvas.addEventListener('pointerleave', () => acts.hover(-1, 0, 0));
  canvas.addEventListener('wheel', e => wheel(e, s, p.place(e)[0]), { passive: false });
  canvas.addEventListener('dblclick', e => {
    const bar = hit(s, ...p.place(e));
    if (bar >= 0) s.view.fit(s.lanes.bars.start[bar]!, s.lanes.bars.end[bar]!, 0.5);
  });
}
