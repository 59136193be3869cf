// The stretch of time that is seen: never outside the trace, never shorter than SHORTEST.
export const SHORTEST = 20;

export class Viewport {
  readonly first: number; readonly last: number;
  t0: number; t1: number;
  private readonly changed: () => void;

  constructor(first: number, last: number, changed: () => void = () => {}) {
    this.first = first;
    this.last = Math.max(last, first + SHORTEST);
    [this.t0, this.t1] = [this.first, this.last];
    this.changed = changed;
  }
  get span(): number {
    return this.t1 - this.t0;
  }
  get whole(): boolean {
    return this.t0 === this.first && this.t1 === this.last;
  }
  show(t0: number, t1: number): void {
    const span = Math.min(this.last - this.first, Math.max(SHORTEST, t1 - t0));
    const from = Math.max(this.first, Math.min(this.last - span, t0));
    if (from === this.t0 && from + span === this.t1) return;
    [this.t0, this.t1] = [from, from + span];
    this.changed();
  }
  all(): void {
    this.show(this.first, this.last);
  }
  pan(share: number): void {
    this.show(this.t0 + share * this.span, this.t1 + share * this.span);
  }
  // `factor` below 1 zooms in; the time `at` stays where it is.
  zoom(factor: number, at = (this.t0 + this.t1) / 2): void {
    const span = Math.min(this.last - this.first, Math.max(SHORTEST, this.span * factor)), share = (at - this.t0) / this.span;
    this.show(at - share * span, at + (1 - share) * span);
  }
  fit(start: number, end: number, margin = 0.02): void {
    const room = Math.max((end - start) * margin, SHORTEST / 4);
    this.show(start - room, end + room);
  }
}
