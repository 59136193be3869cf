// What if: what it would be worth. With a replay in the page there are sliders; without one, the table.
import type { App, View } from '../../app';
import { columnsOf } from '../../columns';
import { el } from '../../dom';
import { duration, percent, shortName, within } from '../../format';
import { Grid } from '../../grid';
import { classOf } from '../../classes';
import { readReplay, type Replay } from './replay';
import { Sliders } from './sliders';

const read = new WeakMap<App, Replay | null>();

function replayOf(app: App): Replay | null {
  if (!read.has(app)) read.set(app, readReplay(app.answer));
  return read.get(app)!;
}

// Groups of classes, as --what-if names them.
const GROUPS: Record<string, string> = { gpu: 'all GPU work', cpu: 'all host code', comm: 'communication', copies: 'copies', launch: 'launches' };

// The largest gain of one change to twice the speed, as the table has it.
function sentence(app: App): string | null {
  const t = app.answer.table('what_if');
  if (!t?.has('gain_ns')) return null;
  const gain = t.column('gain_ns'), twice = Array.from({ length: t.rows }, (_, i) => i).filter(i => t.column('factor').text(i) === '2x' && gain.num(i) > 0);
  if (!twice.length) return null;
  const best = twice.reduce((a, b) => (gain.num(b) > gain.num(a) ? b : a)), target = t.column('target').text(best), known = classOf(target).title;
  const name = GROUPS[target] ?? (known === target.replace(/_/g, ' ') ? shortName(target).replace(/[<(].*/s, '').slice(0, 60) : within(known));
  return `Twice as fast, ${name} would save ${duration(gain.num(best))}, ${percent(t.column('gain_percent').num(best))} of the window: the most of any single change.`;
}

// As the sliders say it; a factor of 0 is time that is gone.
const times = (factor: string): Node => (factor === '0' ? el('span', { title: 'as if it took no time' }, '∞') : el('span', {}, factor.replace(/x$/, '×')));

function drawTable(host: HTMLElement, app: App): void {
  const t = app.answer.table('what_if')!, part = el('div', { class: 'part' }, el('h3', {}, 'Single changes ', el('small', {}, 'one at a time')));
  host.append(part);
  new Grid(part, app, { id: 'whatif', rows: t.rows, searched: 'target', shown: 10, name: i => t.column('target').text(i),
    columns: columnsOf(t, { target: { title: 'Made faster', narrow: true }, factor: { title: 'By', narrow: true, width: 70, draw: i => times(t.column('factor').text(i)) }, gain_ns: { title: 'Saves', narrow: true, sum: false } }) });
}

export const whatif: View = {
  id: 'whatif',
  title: 'What if',
  tables: ['what_if'],
  answer: sentence,
  draw(host, app) {
    const replay = replayOf(app);
    if (replay) new Sliders(host, app, replay);
    drawTable(host, app);
  },
};
