// A grid without a mouse: headers sort with Enter, arrows walk the rows, Enter picks one.
import type { Grid } from './grid';

function sortableHeaders(grid: Grid): void {
  for (const c of grid.table.getColumns()) {
    const header = c.getElement();
    header.tabIndex = 0;
    header.addEventListener('keydown', e => {
      if (e.key !== 'Enter' && e.key !== ' ') return;
      e.preventDefault();
      header.querySelector<HTMLElement>('.tabulator-col-content')!.click();
    });
  }
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };

function walkRows(grid: Grid, holder: HTMLElement): void {
  let at = -1;
  holder.tabIndex = 0;
  holder.setAttribute('aria-label', `${grid.options.id}: arrows move, Enter picks`);
  holder.addEventListener('keydown', async e => {
    const rows = grid.table.getRows('active'), step = STEPS[e.key];
    if (e.key === 'Enter' && rows[at]) return grid.pick(grid.row(rows[at]!));
    if (step === undefined || !rows.length) return;
    e.preventDefault();
    rows[at]?.getElement().classList.remove('cur');
    at = Math.min(rows.length - 1, Math.max(0, at + step));
    await grid.table.scrollToRow(rows[at]!, 'nearest', false).catch(() => undefined);
    rows[at]!.getElement().classList.add('cur');
  });
}

export function gridKeys(grid: Grid): void {
  void grid.built.then(() => {
    sortableHeaders(grid);
    walkRows(grid, grid.element.querySelector<HTMLElement>('.tabulator-tableholder')!);
  });
}
