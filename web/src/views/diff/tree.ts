// The merged tree: equal parts folded, opened down to where the traces part.
import type { App, View } from '../../app';
import { deltaBar } from '../../bars';
import { el, styled } from '../../dom';
import { count, fixed, scaleOf, shortName, signed, type Scale } from '../../format';
import { DiffTree, type Fold, type Line, type Node } from './model';
import './tree.css';

interface Drawn { tree: DiffTree; names: (i: number) => string; scale: Scale; largest: number; redraw: () => void }

function numbers(d: Drawn, before: number, after: number, delta: number, bar: boolean): HTMLElement[] {
  const time = (ns: number): string => fixed(ns / d.scale.by, d.scale.decimals);
  const colour = delta > 0 ? ' pos' : delta < 0 ? ' neg' : '';
  return [el('td', { class: 'r hide-s' }, time(before)), el('td', { class: 'r hide-s' }, time(after)),
    el('td', { class: `r${colour}` }, signed(delta, time)), el('td', { class: 'd' }, bar && deltaBar(delta / d.largest))];
}

const MARKS = ['', '>> ', '<< '], SIDES = ['', 'only before', 'only after'];

function nodeRow(d: Drawn, line: Node): HTMLElement {
  const { tree } = d, i = line.id, name = d.names(i), side = tree.only(i), opens = tree.hasChildren(i), open = tree.open.has(i);
  const turn = (): void => { tree.turn(i); d.redraw(); };
  const button = el('button', { class: 'tri', tabindex: -1, 'aria-hidden': 'true', click: turn }, open ? '▾' : '▸');
  if (!opens) button.style.visibility = 'hidden';
  return el('tr', { 'data-node': i, 'aria-level': line.depth + 1, 'aria-expanded': opens ? String(open) : null, tabindex: -1, class: side ? `only${side}` : null },
    el('td', { class: 'n', title: name }, indent(line.depth, button, side ? el('b', { title: SIDES[side] }, MARKS[side]!) : '', el('span', {}, shortName(name)))),
    ...numbers(d, tree.before[i]!, tree.after[i]!, tree.delta[i]!, true));
}

function foldRow(d: Drawn, line: Fold): HTMLElement {
  const s = d.tree.sums(line.nodes);
  const more = (): void => { d.tree.more(line.parent); d.redraw(); };
  return el('tr', { class: 'foldr', 'aria-level': line.depth + 1, tabindex: -1, 'data-fold': line.parent },
    el('td', { class: 'n' }, indent(line.depth, el('button', { class: 'tri', tabindex: -1, 'aria-label': 'Show more', click: more }, '…'),
      el('span', {}, `${count(line.nodes.length)} more, equal or small`))), ...numbers(d, s.before, s.after, s.delta, false));
}

function indent(depth: number, ...children: (Node_ | string)[]): HTMLElement {
  return styled(el('div', { class: 'ind' }, ...children), { '--depth': String(Math.min(depth, 24)) });
}
type Node_ = HTMLElement;

function rootRow(d: Drawn): HTMLElement {
  const s = d.tree.sums(d.tree.roots());
  return el('tr', { class: 'sum', 'aria-level': 1, 'aria-expanded': 'true', tabindex: 0 },
    el('td', { class: 'n' }, indent(0, el('span', {}, 'both traces'))), ...numbers(d, s.before, s.after, s.delta, true));
}

const draw = (d: Drawn, line: Line): HTMLElement => (line.kind === 'node' ? nodeRow(d, line) : foldRow(d, line));

// Arrows as in any tree: right opens, left closes or goes to the parent.
function keys(d: Drawn, body: HTMLElement): void {
  const focus = (row: Element | null | undefined): void => {
    if (!(row instanceof HTMLElement)) return;
    for (const r of body.querySelectorAll<HTMLElement>('tr[tabindex="0"]')) r.tabIndex = -1;
    row.tabIndex = 0;
    row.focus();
  };
  const find = (i: number): Element | null => body.querySelector(`tr[data-node="${i}"]`);
  const act = (i: number, f: () => void): void => { f(); d.redraw(); focus(find(i)); };
  body.addEventListener('keydown', e => {
    const row = (e.target as HTMLElement).closest('tr'), i = Number(row?.dataset.node ?? NaN);
    if (!row) return;
    const more = row.dataset.fold;
    if (e.key === 'ArrowDown') focus(row.nextElementSibling);
    else if (e.key === 'ArrowUp') focus(row.previousElementSibling);
    else if (more !== undefined && (e.key === 'Enter' || e.key === 'ArrowRight')) {
      const at = [...body.children].indexOf(row);
      d.tree.more(Number(more));
      d.redraw();
      focus(body.children[at]);
    } else if (Number.isNaN(i)) return;
    else if (e.key === 'Enter' || (e.key === 'ArrowRight' && d.tree.hasChildren(i) && !d.tree.open.has(i))) act(i, () => d.tree.turn(i));
    else if (e.key === 'ArrowRight') focus(row.nextElementSibling);
    else if (e.key === 'ArrowLeft' && d.tree.open.has(i)) act(i, () => d.tree.turn(i));
    else if (e.key === 'ArrowLeft') focus(find(d.tree.parentOf(i)) ?? body.firstElementChild);
    else return;
    e.preventDefault();
  });
}

export const tree: View = {
  id: 'diff-tree',
  title: 'Merged tree',
  tables: ['diff_tree'],
  answer: app => (app.answer.table('diff_tree') ? 'Opened where the traces part: >> only before, << only after.' : null),
  draw(host, app: App) {
    const t = app.answer.table('diff_tree')!, model = new DiffTree(t), s = model.sums(model.roots()), name = t.column('name');
    const scale = scaleOf('nsec', Math.max(s.before, s.after)), body = el('tbody', {});
    const largest = Math.max(1, ...model.roots().map(i => Math.abs(model.delta[i]!)), Math.abs(s.delta));
    const d: Drawn = { tree: model, names: i => name.text(i), scale, largest, redraw: () => body.replaceChildren(rootRow(d), ...model.lines().map(line => draw(d, line))) };
    d.redraw();
    keys(d, body);
    host.append(el('table', { class: 'difftree', role: 'treegrid', 'aria-label': 'Merged tree' },
      el('thead', {}, el('tr', {}, el('th', {}, 'Node'), el('th', { class: 'r hide-s' }, `Before ${scale.unit}`), el('th', { class: 'r hide-s' }, `After ${scale.unit}`),
        el('th', { class: 'r' }, `Δ GPU ${scale.unit}`), el('th', { class: 'd' }))), body));
  },
};
