// What the page does not show, why, and what would have recorded it.
import type { View } from '../app';
import { el } from '../dom';
import { viewTitle } from '../format';

export const missing: View = {
  id: 'missing',
  title: 'Not shown',
  tables: ['missing'],
  answer: app => (app.answer.table('missing') ? '' : null),
  draw(host, app) {
    const t = app.answer.table('missing')!, view = t.column('view'), reason = t.column('reason'), how = t.column('how');
    const lines = Array.from({ length: t.rows }, (_, i) => [el('b', {}, viewTitle(view.text(i))), el('span', {}, reason.text(i)), el('span', { class: 'mono' }, how.text(i))]);
    host.append(el('div', { class: 'empty' }, ...lines.flat()));
  },
};
