// Every kernel, by owner and stream.
import type { View } from '../app';
import { columnsOf } from '../columns';
import { count, duration, percent, shortName } from '../format';
import { Grid } from '../grid';

export const kernels: View = {
  id: 'kernels',
  title: 'Kernels',
  tables: ['kernels'],
  answer(app) {
    const t = app.answer.table('kernels');
    if (!t?.has('total_ns') || !t.has('owner')) return null;
    const times = t.column('total_ns').float64(), most = times.indexOf(Math.max(...times));
    const name = shortName(t.column('name').text(most)).replace(/[<(].*/s, '').slice(0, 60);
    return `${name} runs longest: ${duration(times[most]!)} in ${count(t.column('count').num(most))} runs, ${percent(t.column('percent').num(most))} of kernel time.`;
  },
  draw(host, app) {
    const t = app.answer.table('kernels')!;
    new Grid(host, app, { id: 'kernels', rows: t.rows, searched: 'name', sort: 'total_ns:desc', name: i => t.column('name').text(i),
      columns: columnsOf(t, { name: { title: 'Kernel', narrow: true }, total_ns: { narrow: true }, count: { title: 'Runs' }, percent: { narrow: true } }) });
  },
};
