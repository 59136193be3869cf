// Timeline: when, on which lane, what waited for what. Red is the critical path, the rest is grey.
import type { App, View } from '../../app';
import { swatch } from '../../bars';
import { classOf } from '../../classes';
import { el } from '../../dom';
import { percent } from '../../format';
import { Longest } from './spans';
import { TimelinePane } from './pane';
import { layOut } from './layout';
import { readLanes, type Lanes } from './lanes';
import { Raster } from './raster';
import type { State } from './state';
import { Viewport } from './viewport';
import './timeline.css';

function sentence(app: App): string {
  const t = app.answer.table('path_lanes'), rows = t ? Array.from({ length: t.rows }, (_, i) => i).filter(i => t.column('path_ns').num(i) > 0) : [];
  if (!t || !rows.length) return 'What ran when, on every thread and stream.';
  const part = (i: number): string => `${percent(t.column('percent').num(i))} on ${t.column('lane').text(i)}`;
  const few = rows.slice(0, 3).map(part), last = few.pop()!;
  return `The critical path spends ${few.length ? `${few.join(', ')} and ` : ''}${last}: red is what decides, grey has slack.`;
}

function legend(l: Lanes): HTMLElement {
  const onPath = new Set<string>(), path = l.lane.find(lane => lane.kind === 'path');
  if (path) for (let i = l.bars.shelf[path.shelf]!; i < l.bars.shelf[path.shelf + 1]!; i++) onPath.add(l.classes[l.cls[i]!]!);
  return el('div', { class: 'leg' }, el('span', {}, 'Critical path lane:'), ...[...onPath].sort().map(c => el('span', { class: 'nw' }, swatch(c), ' ', classOf(c).title)));
}

function keysNote(): HTMLElement {
  const keys: [string, string][] = [['W S', 'zoom'], ['A D', 'pan'], ['N P', 'next, previous path segment'], ['F', 'fit selection'], ['0', 'all'], ['C', 'colour'], ['/', 'search']];
  return el('p', { class: 'keys hide-s' }, ...keys.flatMap(([k, what]) => [...k.split(' ').flatMap(key => [el('kbd', {}, key), ' ']), `${what}\u2002 `]),
    'Ctrl + wheel zooms at the pointer; Shift + drag measures');
}

function initial(app: App, lanes: Lanes): State {
  return {
    app, whole: lanes, lanes, longest: new Longest(lanes.bars), view: new Viewport(lanes.start, lanes.end), layout: layOut(lanes, 1200, new Set(), false),
    width: 1200, ratio: 1, raster: new Raster(), ink: {}, byClass: false, opened: new Set(), allLanes: false, selected: -1, hovered: -1, launched: [], measure: null, search: null, colour: {},
  };
}

export const timeline: View = {
  id: 'timeline',
  title: 'Timeline',
  tables: ['picture', 'picture_lanes', 'picture_events'],
  answer: app => (app.answer.table('picture_events') && app.answer.table('picture_lanes') ? sentence(app) : null),
  draw(host, app) {
    const lanes = readLanes(app.answer)!, pane = new TimelinePane(initial(app, lanes));
    host.append(pane.tools, pane.box, legend(lanes), keysNote());
    pane.start(host);
  },
};
