// What is known of a bar: in the tooltip, and in the strip below the canvas.
import { classOf } from '../../classes';
import { el, styled } from '../../dom';
import { count, duration, fixed } from '../../format';
import { laneOfBar, nameOf, type Lanes } from './lanes';
import type { State } from './state';

export type Fact = [label: string, value: string];

function pathFact(l: Lanes, bar: number): Fact {
  const dur = l.bars.end[bar]! - l.bars.start[bar]!, on = l.onPath[bar]!;
  return ['on the critical path', on === 0 ? 'no' : on >= dur ? 'yes, all of it' : `${duration(on)} of its own time`];
}

function launchFacts(s: State, bar: number): Fact[] {
  const l = s.lanes, launch = l.launch[bar]!;
  if (launch >= 0) return [['launched by', nameOf(l, launch)], ['after its launch began', duration(l.bars.start[bar]! - l.bars.start[launch]!)]];
  if (bar === s.selected && s.launched.length) return [['launched', s.launched.length > 1 ? `${count(s.launched.length)} pieces of work` : nameOf(l, s.launched[0]!)]];
  return [];
}

export function facts(s: State, bar: number, slack: (bar: number) => number | null): Fact[] {
  const l = s.lanes, lane = laneOfBar(l, bar), many = l.count[bar]! > 1, free = slack(bar);
  return [
    ['start', `${fixed(l.bars.start[bar]! / 1e6, 3)}\u202fms`], ['for', duration(l.bars.end[bar]! - l.bars.start[bar]!)],
    ...(many ? [['stands for', `${count(l.count[bar]!)} short events, ${duration(l.bars.sum[bar + 1]! - l.bars.sum[bar]!)} of work`] as Fact] : []),
    ['on', lane.name], ['class', classOf(l.classes[l.cls[bar]!]!).title],
    ...(lane.kind === 'path' ? [] : [pathFact(l, bar)]),
    ...(free === null ? [] : [['slack', duration(free)] as Fact]),
    ...launchFacts(s, bar),
  ];
}

// Slack by start, length and name, as the table `slack` has it; made when first asked for.
export function slackOf(s: State): (bar: number) => number | null {
  let known: Map<string, number> | null = null;
  const key = (start: number, dur: number, name: string): string => `${start} ${dur} ${name}`;
  return bar => {
    const t = s.app.answer.table('slack'), l = s.lanes;
    if (!t || l.count[bar] !== 1) return null;
    if (!known) {
      known = new Map();
      const start = t.column('start_ns'), dur = t.column('dur_ns'), name = t.column('name'), slack = t.column('slack_ns');
      for (let i = 0; i < t.rows; i++) known.set(key(start.num(i), dur.num(i), name.text(i)), slack.num(i));
    }
    return known.get(key(l.bars.start[bar]!, l.bars.end[bar]! - l.bars.start[bar]!, nameOf(l, bar))) ?? null;
  };
}

export class Tip {
  private readonly box = el('div', { class: 'tl-tip', role: 'presentation' });

  constructor() {
    document.body.append(this.box);
  }
  hide(): void {
    this.box.classList.remove('on');
  }
  show(x: number, y: number, name: string, known: Fact[]): void {
    const text = known.slice(0, 6).map(([label, value]) => `${label} ${value}`).join(' · ');
    this.box.replaceChildren(el('b', { class: 'mono' }, name.length > 240 ? `${name.slice(0, 240)}…` : name), el('br'), text);
    this.box.classList.add('on');
    const { width, height } = this.box.getBoundingClientRect();
    styled(this.box, {
      left: `${Math.max(8, Math.min(innerWidth - width - 8, x + 12))}px`,
      top: `${y + height + 24 > innerHeight ? y - height - 12 : y + 16}px`,
    });
  }
}

export function drawDetail(host: HTMLElement, s: State, slack: (bar: number) => number | null): void {
  const bar = s.selected >= 0 ? s.selected : s.hovered;
  if (s.measure && s.selected < 0) {
    host.replaceChildren(el('span', {}, 'measured ', el('b', {}, duration(Math.abs(s.measure[1] - s.measure[0])))));
  } else if (bar < 0) {
    host.replaceChildren(el('span', { class: 'dim' },
      `Showing ${duration(s.view.span)} of ${duration(s.view.last - s.view.first)}. Point at an event for its facts, select it to keep them.`));
  } else {
    host.replaceChildren(el('span', { class: 'nm', title: nameOf(s.lanes, bar).slice(0, 4000), dir: 'auto' }, nameOf(s.lanes, bar).slice(0, 4000)),
      ...facts(s, bar, slack).map(([label, value]) => el('span', {}, el('span', { class: 'dim' }, `${label} `), el('b', {}, value))));
  }
}
