// Goes from bar to bar: to the next segment of the critical path, along a shelf, to another one.
import { shelfOf } from './lanes';
import { lowerBound } from './spans';
import type { State } from './state';

export class Walker {
  private readonly s: State;
  private readonly select: (bar: number) => void;

  constructor(s: State, select: (bar: number) => void) {
    this.s = s;
    this.select = select;
  }
  // Shows a bar: as near as it is now, or nearer.
  goTo(bar: number): void {
    const { view, lanes } = this.s, start = lanes.bars.start[bar]!, dur = lanes.bars.end[bar]! - start;
    const span = Math.min(Math.max(dur * 4, view.span / 8, 600), Math.max(view.span, dur * 4));
    this.select(bar);
    view.show(start + dur / 2 - span / 2, start + dur / 2 + span / 2);
  }
  segment(direction: 1 | -1): void {
    const { s } = this, { lanes, view } = s, path = lanes.lane.find(l => l.kind === 'path');
    if (!path) return;
    const from = lanes.bars.shelf[path.shelf]!, past = lanes.bars.shelf[path.shelf + 1]!;
    const on = s.selected >= from && s.selected < past;
    const next = on ? s.selected + direction : Math.min(past - 1, lowerBound(lanes.bars.end, (view.t0 + view.t1) / 2 + 1, from, past));
    if (next >= from && next < past) this.goTo(next);
  }
  // From event to event on a shelf, and to what lies above or below.
  step(along: number, across: number): void {
    const { s } = this, { bars } = s.lanes;
    if (s.selected < 0) return this.segment(1);
    const shelf = shelfOf(s.lanes, s.selected), to = s.selected + along;
    if (along && to >= bars.shelf[shelf]! && to < bars.shelf[shelf + 1]!) this.goTo(to);
    for (let next = shelf + across; across && next >= 0 && next + 1 < bars.shelf.length; next += across) {
      const from = bars.shelf[next]!, past = bars.shelf[next + 1]!, i = lowerBound(bars.start, bars.start[s.selected]!, from, past);
      if (past > from) return this.goTo(Math.min(i, past - 1));
    }
  }
  fit(): void {
    const { selected, view, lanes } = this.s;
    if (selected >= 0) view.fit(lanes.bars.start[selected]!, lanes.bars.end[selected]!, 0.5);
  }
}
