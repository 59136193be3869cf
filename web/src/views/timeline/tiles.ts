// With a server behind the page: the stretch that is seen, as finely as it can be seen. The page
// itself holds the whole trace at some grain; a finer tile takes its place while it is looked at.
import type { Server } from '../../server';
import { readLanes, type Lanes } from './lanes';
import { Longest } from './spans';
import { search } from './search';
import type { State } from './state';

interface Shown { start: number; end: number; grain: number }

const FINEST = 256; // grains are 0 and this times powers of four

// The coarsest grain that is no wider than a pixel.
export function grainFor(nsPerPixel: number): number {
  if (nsPerPixel < FINEST) return 0;
  return FINEST * 4 ** Math.floor(Math.log2(nsPerPixel / FINEST) / 2);
}

// The bar that stood for the same before.
export function sameBar(from: Lanes, bar: number, to: Lanes): number {
  if (bar < 0) return -1;
  const start = from.bars.start[bar]!, end = from.bars.end[bar]!, name = from.names[from.name[bar]!];
  for (let s = 0; s + 1 < to.bars.shelf.length; s++) {
    if (bar < from.bars.shelf[s]! || bar >= from.bars.shelf[s + 1]!) continue;
    for (let i = to.bars.shelf[s]!; i < to.bars.shelf[s + 1]! && to.bars.start[i]! <= start; i++)
      if (to.bars.start[i] === start && to.bars.end[i] === end && to.names[to.name[i]!] === name) return i;
  }
  return -1;
}

export class Tiles {
  private readonly s: State; private readonly server: Server; private readonly replaced: () => void;
  private readonly whole: Shown;
  private shown: Shown;
  private turn = 0;

  constructor(s: State, server: Server, replaced: () => void) {
    [this.s, this.server, this.replaced] = [s, server, replaced];
    this.whole = this.shown = { start: s.whole.start, end: s.whole.end, grain: s.app.answer.table('picture')?.column('grain_ns').num(0) ?? 0 };
  }
  private serves(t: Shown, grain: number): boolean {
    const { view } = this.s;
    return t.grain <= grain && t.start <= view.t0 && t.end >= view.t1;
  }
  // When the view has come to rest. A failure leaves what is there.
  async look(): Promise<void> {
    const { s } = this, { view } = s, grain = grainFor(view.span / s.width), turn = ++this.turn;
    if (this.serves(this.whole, grain)) return this.put(s.whole, this.whole);
    if (this.serves(this.shown, grain)) return;
    const start = Math.max(s.whole.start, view.t0 - view.span / 2), end = Math.min(s.whole.end, view.t1 + view.span / 2);
    const lanes = readLanes(await this.server.tile(start, end, grain), s.whole);
    if (lanes && turn === this.turn) this.put(lanes, { start, end, grain });
  }
  private put(lanes: Lanes, shown: Shown): void {
    const { s } = this;
    this.shown = shown;
    if (lanes === s.lanes) return;
    s.selected = sameBar(s.lanes, s.selected, lanes);
    s.hovered = -1;
    s.lanes = lanes;
    s.longest = new Longest(lanes.bars);
    s.search = s.search && search(lanes, s.search.text);
    this.replaced();
  }
}
