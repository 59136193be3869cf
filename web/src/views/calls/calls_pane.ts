// The controls of the call tree, and what they change.
import type { App } from '../../app';
import { el } from '../../dom';
import { count, duration, percent } from '../../format';
import { childrenOf, matching, nameAt, selfOf, totalsOf, type CallTree, type Weight } from './call_tree';
import { sentence } from './calls_text';
import { Flame } from './flame';
import { Inverted, type InvertedNode } from './invert_tree';
import { servedItems } from './served_items';
import { TreeRows, type Item } from './tree_rows';

function choice(labels: string[], chosen: number, choose: (i: number) => void, name: string): HTMLElement {
  const buttons = labels.map((label, i) => el('button', { class: 'btn', 'aria-pressed': String(i === chosen), click: () => {
    buttons.forEach((b, k) => b.setAttribute('aria-pressed', String(k === i)));
    choose(i);
  } }, label));
  return el('span', { class: 'seg', role: 'group', 'aria-label': name }, ...buttons);
}

export class CallsPane {
  readonly tools: HTMLElement; readonly box: HTMLElement; readonly directions: HTMLElement;
  readonly rows = new TreeRows(name => this.pick(name));
  private weight: Weight = 'cpu'; private waits = false; private inverted = true;
  private self: Float64Array = new Float64Array(0); private total: Float64Array = new Float64Array(0);
  private text = ''; private turn = 0;
  private readonly detail = el('div', { class: 'det', 'aria-live': 'polite' });
  private readonly found = el('span', { class: 'dim', 'aria-live': 'polite' });
  private readonly out = el('button', { class: 'btn out', disabled: true, click: () => this.flame.zoomTo(this.flame.up(this.flame.zoom)) }, 'Zoom out');
  private readonly flame: Flame;
  private readonly app: App; private readonly t: CallTree; private readonly answer: (text: string | null) => void;

  constructor(app: App, t: CallTree, answer: (text: string | null) => void) {
    [this.app, this.t, this.answer] = [app, t, answer];
    this.flame = new Flame(app, t, { pick: name => this.pick(name), point: node => this.describe(node), zoomed: node => (this.out.disabled = node === t.n) });
    if (!t.cpu.some(v => v > 0)) this.weight = 'gpu';
    if (app.address.get('tree.weight') === 'gpu') this.weight = 'gpu';
    const field = el('input', { type: 'search', placeholder: 'Highlight functions', 'aria-label': 'Highlight functions', input: () => this.search(field.value) });
    const wait = el('input', { type: 'checkbox', change: () => { this.waits = wait.checked; this.weigh(); } });
    this.tools = el('div', { class: 'tools' },
      choice(['CPU time', 'GPU time'], this.weight === 'gpu' ? 1 : 0, i => this.setWeight(i ? 'gpu' : 'cpu'), 'Weight'),
      t.wait.some(v => v > 0) && el('label', { class: 'check', title: 'Time in which calls only wait for the GPU or for another thread' }, wait, 'with waits'),
      choice(['Icicle', 'Flame'], 0, i => { this.flame.upwards = i === 1; this.flame.paint(); }, 'Direction of the graph'), field, this.found, this.out);
    this.directions = choice(['Inverted', 'Top-down'], 0, i => { this.inverted = i === 0; this.fill(); }, 'Direction of the tree');
    this.box = el('div', { class: 'fl' }, this.flame.canvas, this.detail);
  }
  start(): void {
    new ResizeObserver(() => this.flame.lay(this.box.clientWidth)).observe(this.box);
    this.app.whenThemed(() => this.flame.paint());
    this.app.whenSelected(s => this.follow(s.name ?? ''));
    this.weigh();
    this.follow(this.app.selection.name ?? '');
  }
  private setWeight(weight: Weight): void {
    this.weight = weight;
    this.app.address.set('tree.weight', weight === 'gpu' ? 'gpu' : undefined);
    this.weigh();
  }
  private weigh(): void {
    this.self = selfOf(this.t, this.weight, this.waits);
    this.total = totalsOf(this.t, this.self);
    this.flame.weigh(this.self, this.total);
    this.flame.canvas.setAttribute('aria-label', `Flame graph of ${count(this.t.n)} calls, ${duration(this.total[this.t.n]!)}; arrows move, Enter zooms, Backspace zooms out. The tree below has the same in rows.`);
    this.search(this.text);
    this.fill();
    this.describe(-1);
    this.answer(sentence(this.t, this.weight, this.waits));
  }
  private pick(name: string): void {
    this.app.select({ name });
  }
  private follow(name: string): void {
    if (name === this.flame.picked) return;
    this.flame.picked = this.rows.picked = name;
    this.flame.paint();
    this.rows.draw();
  }
  private search(text: string): void {
    this.text = text.trim().toLowerCase();
    const match = this.text ? Uint8Array.from(this.t.names, n => Number(n.toLowerCase().includes(this.text))) : null;
    this.flame.match = match;
    const sum = match ? matching(this.t, this.total, match) : 0;
    this.found.textContent = !match ? '' : sum ? `${duration(sum)}, ${percent(100 * sum / this.total[this.t.n]!)}` : 'No function has this text.';
    this.flame.paint();
  }
  private describe(node: number): void {
    const all = this.total[this.t.n]!, share = (v: number): string => `${duration(v)} (${percent(100 * v / (all || 1))})`;
    if (node < 0 || node >= this.t.n) {
      this.detail.replaceChildren(el('span', { class: 'dim' }, `${duration(all)} in all. Width is total time, a deeper tint is more time of its own. Select a frame to zoom.`));
      return;
    }
    this.detail.replaceChildren(el('span', { class: 'nm', dir: 'auto', title: nameAt(this.t, node).slice(0, 4000) }, nameAt(this.t, node).slice(0, 2000)),
      el('span', {}, 'total ', el('b', {}, share(this.total[node]!))), el('span', {}, 'of its own ', el('b', {}, share(this.self[node]!))), el('span', {}, 'calls ', el('b', {}, count(this.t.calls[node]!))));
  }
  private heading(): [name: string, unit: string] {
    return [this.inverted ? 'Function, then its callers' : 'Function, then what it calls', this.weight === 'gpu' ? 'GPU' : 'CPU'];
  }
  private fill(): void {
    if (this.app.server) return void this.serve();
    if (this.inverted) {
      const v = new Inverted(this.t, this.self);
      this.rows.show(v.roots.map(r => this.inverse(v, r)), v.total, ...this.heading());
    } else {
      this.rows.show(childrenOf(this.t, this.t.n, this.total).map(i => this.downward(i)), this.total[this.t.n]!, ...this.heading());
    }
  }
  // Every node, from the server; `stacks` has left out what is small.
  private async serve(): Promise<void> {
    const turn = ++this.turn, { weight, inverted, waits } = this;
    const roots = await servedItems({ server: this.app.server!, weight, inverted, waits, changed: () => this.rows.draw() });
    if (turn === this.turn) this.rows.show(roots, this.total[this.t.n]!, ...this.heading());
  }
  private inverse(v: Inverted, node: InvertedNode): Item {
    return { name: v.nameOf(node), total: node.total, calls: v.calls(node), children: v.called(node) ? () => v.open(node).map(c => this.inverse(v, c)) : null };
  }
  private downward(i: number): Item {
    const has = Array.from(this.t.kids.subarray(this.t.first[i]!, this.t.first[i + 1]!)).some(k => this.total[k]! > 0);
    return { name: nameAt(this.t, i), total: this.total[i]!, calls: this.t.calls[i]!, children: has ? () => childrenOf(this.t, i, this.total).map(k => this.downward(k)) : null };
  }
}
