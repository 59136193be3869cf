// Call tree: who calls what holds the time. A flame graph and a tree of one selection: a function's
// name, which survives another weight, zoom, inversion and size.
import type { App, View } from '../../app';
import { el } from '../../dom';
import { readCallTree, type CallTree } from './call_tree';
import { CallsPane } from './calls_pane';
import { sentence } from './calls_text';
import './calls.css';

const read = new WeakMap<App, CallTree | null>();

function treeOf(app: App): CallTree | null {
  if (!read.has(app)) read.set(app, readCallTree(app.answer));
  return read.get(app)!;
}

export const calls: View = {
  id: 'tree',
  title: 'Call tree',
  answer(app) {
    const t = treeOf(app);
    return t && (sentence(t, 'cpu', false) ?? sentence(t, 'gpu', false));
  },
  draw(host, app) {
    const pane = new CallsPane(app, treeOf(app)!, text => {
      const line = host.querySelector('.ans');
      if (line && text) line.textContent = text;
    });
    host.append(pane.tools, pane.box, el('h3', {}, 'Tree ', pane.directions), pane.rows.table);
    pane.start();
  },
};
