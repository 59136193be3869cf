// What stands above a grid: search with its count, columns, CSV; and below it "Show all".
import type { App } from './app';
import { csv, download } from './csv';
import { el } from './dom';
import { count } from './format';
import type { Grid } from './grid';

function searchField(grid: Grid, app: App, changed: () => void): HTMLElement[] {
  const note = el('span', { class: 'dim', 'aria-live': 'polite' });
  const field = el('input', { type: 'search', placeholder: 'Filter: text or /regex/', 'aria-label': `Filter ${grid.options.id}`, spellcheck: 'false', autocomplete: 'off' });
  const apply = (): void => {
    const error = grid.search(field.value);
    note.textContent = error ?? (field.value ? `${count(grid.matched)} of ${count(grid.options.rows)} match` : '');
    changed();
  };
  field.addEventListener('input', apply);
  field.value = app.address.get(`${grid.options.id}.q`) ?? '';
  if (field.value) queueMicrotask(() => void grid.built.then(apply));
  return [field, note];
}

function columnChooser(grid: Grid, app: App): HTMLElement {
  const boxes = grid.options.columns.map(c => {
    const box = el('input', { type: 'checkbox', change: choose });
    return { c, box, label: el('label', { title: c.help }, box, ' ', c.title || c.help || c.id) };
  });
  function choose(): void {
    app.address.set(`${grid.options.id}.cols`, boxes.filter(b => b.box.checked).map(b => b.c.id).join(','));
    grid.showColumns();
  }
  const panel = el('div', { class: 'chooser', hidden: true }, ...boxes.map(b => b.label));
  const button = el('button', { class: 'btn', 'aria-expanded': 'false', click: () => {
    for (const b of boxes) b.box.checked = !grid.hidden(b.c);
    panel.hidden = !panel.hidden;
    button.setAttribute('aria-expanded', String(!panel.hidden));
  } }, 'Columns');
  const close = (): void => { panel.hidden = true; button.setAttribute('aria-expanded', 'false'); };
  const host = el('span', { class: 'choose' }, button, panel);
  host.addEventListener('keydown', e => { if (e.key === 'Escape') close(); });
  document.addEventListener('click', e => { if (!host.contains(e.target as Node)) close(); });
  return host;
}

function allButton(grid: Grid): { button: HTMLElement; update: () => void } {
  const few = grid.options.shown ?? 12;
  const button = el('button', { class: 'btn all', click: () => { grid.showAll(!grid.whole); update(); } });
  function update(): void {
    button.hidden = grid.matched <= few;
    button.textContent = grid.whole ? 'Show fewer' : `Show all ${count(grid.matched)}`;
  }
  update();
  return { button, update };
}

export function gridTools(host: HTMLElement, app: App, grid: Grid): void {
  const all = allButton(grid), o = grid.options;
  const save = (): void => {
    const { columns, rows } = grid.csvRows();
    download(`${o.id}.csv`, csv(columns, rows));
  };
  const search = o.searched ? searchField(grid, app, all.update) : [];
  host.append(el('div', { class: 'tools' }, ...(o.tools ?? []), ...search, el('span', { class: 'sp' }), columnChooser(grid, app),
    el('button', { class: 'btn', click: save, title: 'Save as CSV: raw values, every column' }, 'CSV')));
  queueMicrotask(() => grid.element.after(all.button));
}
