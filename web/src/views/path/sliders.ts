// Sliders of what-if: eight stops each, since a continuous one suggests a precision nobody has.
import type { App } from '../../app';
import { el, styled } from '../../dom';
import { duration, fixed, percent, scaleOf, shortName, type Scale } from '../../format';
import { inNs, replay, shareOf, STOPS, stopText, UNITS, whatIfText, type Replay } from './replay';

const PRESETS: [title: string, stop: number, targets: string[]][] = [
  ['Reset', 0, []], ['Host 2×', 3, ['cpu', 'launch']], ['No communication', 7, ['comm']], ['Infinitely fast GPU', 7, ['compute', 'comm', 'copies']],
];

// As one word of a shell.
const quoted = (text: string): string => `'${text.replace(/'/g, "'\\''")}'`;

export class Sliders {
  private readonly r: Replay; private readonly app: App;
  private readonly stops: number[];
  private readonly scale: Scale; // of the window: one unit for all of them
  private readonly inputs: HTMLInputElement[] = []; private readonly outputs: HTMLElement[] = [];
  private readonly result = el('div', { class: 'res', 'aria-live': 'polite' });
  private readonly command = el('p', { class: 'note mono command' });
  private readonly bar = el('i', {}); private readonly track = el('div', { class: 'cmpbar', role: 'img' }, this.bar);

  constructor(host: HTMLElement, app: App, r: Replay) {
    [this.app, this.r, this.scale] = [app, r, scaleOf('nsec', Math.min(r.window, 1e9))];
    this.stops = r.targets.map(() => 0);
    const measured = this.predicted();
    if (measured !== r.window) throw new Error(`the replay gives ${measured} ns, the window is ${r.window} ns`);
    const box = el('div', { class: 'wi-box' }, el('h3', {}, 'Replay ', el('small', {}, 'of the dependencies of this trace, in the page')), this.result, this.track,
      el('div', { class: 'wi h' }, el('span', {}, 'Make faster'), el('span'), el('span'), el('span', { class: 'r' }, '2× alone saves')), ...this.rows(),
      el('div', { class: 'presets' }, ...PRESETS.filter(([, stop, names]) => !stop || r.targets.some(t => names.includes(t.name)))
        .map(([title, stop, names]) => el('button', { class: 'btn', click: () => this.set(r.targets.map(t => (names.includes(t.name) ? stop : 0))) }, title))),
      el('p', { class: 'note' }, 'Together changes save less or more than the sum of each, because the path moves. Waits for other ranks stay as measured.'), this.command);
    host.append(box);
    this.set(this.stored());
  }
  private shares(stops: number[]): Float64Array {
    return Float64Array.from(stops, s => shareOf(STOPS[s]!));
  }
  predicted(stops = this.stops): number {
    return inNs(replay(this.r.graph, this.shares(stops)));
  }
  private alone(k: number): number {
    const share = new Float64Array(this.r.targets.length).fill(UNITS);
    share[k] = UNITS / 2;
    return this.r.window - inNs(replay(this.r.graph, share));
  }
  private rows(): HTMLElement[] {
    const gain = this.r.targets.map((_, k) => this.alone(k)), order = gain.map((_, k) => k).sort((a, b) => gain[b]! - gain[a]! || a - b);
    return order.map(k => this.row(k, gain[k]!));
  }
  private row(k: number, gain: number): HTMLElement {
    const t = this.r.targets[k]!, title = shortName(t.title || t.name), output = el('output', {}, '1×');
    const input = el('input', { type: 'range', min: 0, max: STOPS.length - 1, step: 1, value: 0, 'aria-label': `${title.slice(0, 200)}: speed-up`, 'data-target': t.name, input: () => this.move(k) });
    this.inputs[k] = input;
    this.outputs[k] = output;
    return el('div', { class: 'wi' }, el('span', { class: 'clip', title: `${t.title}\n${duration(t.time)}`.slice(0, 4000), dir: 'auto' }, title.slice(0, 400)), input, output, el('span', { class: 'r' }, `${fixed(gain / this.scale.by, 2)} ${this.scale.unit}`));
  }
  private move(k: number): void {
    this.stops[k] = Number(this.inputs[k]!.value);
    this.show();
  }
  private set(stops: number[]): void {
    stops.forEach((s, k) => {
      this.stops[k] = s;
      this.inputs[k]!.value = String(s);
    });
    this.show();
  }
  private show(): void {
    const { window } = this.r, predicted = this.predicted(), saved = window - predicted;
    this.stops.forEach((s, k) => {
      this.outputs[k]!.textContent = stopText(STOPS[s]!);
      this.inputs[k]!.setAttribute('aria-valuetext', stopText(STOPS[s]!));
    });
    const time = (ns: number): string => `${fixed(ns / this.scale.by, 3)} ${this.scale.unit}`;
    const facts: [string, string][] = [['Measured', time(window)], ['Predicted', time(predicted)], [`Saved, ${percent(100 * saved / window)}`, time(saved)], ['Speed-up', predicted ? `${fixed(window / predicted, 2)}×` : '∞']];
    this.result.replaceChildren(...facts.map(([label, value]) => el('div', {}, el('b', {}, value), el('span', {}, label))));
    const text = whatIfText(this.r.targets, this.stops.map(i => STOPS[i]!));
    this.command.textContent = text ? `longpole critical-path TRACE --what-if ${quoted(text)}` : '';
    this.result.dataset.predicted = String(predicted);
    styled(this.bar, { width: `${100 * predicted / window}%` });
    this.track.setAttribute('aria-label', `Predicted ${time(predicted)} of ${time(window)}`);
    this.app.address.set('whatif', this.stops.some(s => s) ? this.stops.join('') : undefined);
  }
  private stored(): number[] {
    const text = this.app.address.get('whatif') ?? '';
    return this.r.targets.map((_, k) => Math.min(STOPS.length - 1, Number(/[0-7]/.exec(text[k] ?? '')?.[0] ?? 0)));
  }
}
