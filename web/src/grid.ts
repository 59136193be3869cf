// A table of any length: sorted by its headers, searched, its columns chosen, saved as CSV.
// Tabulator draws the rows that are in sight; a row is only its number, values stay in columns.
import { ColumnCalcsModule, FilterModule, FormatModule, InteractionModule, SortModule, Tabulator,
  type ColumnDefinition, type RowComponent } from 'tabulator-tables';
import type { App } from './app';
import { cellNode, columnScale, compare, numberText, type GridColumn } from './columns';
import type { Cell } from './data';
import { el } from './dom';
import type { Scale } from './format';
import { gridKeys } from './gridkeys';
import { gridTools } from './gridtools';
import { pattern } from './pattern';
import './grid.css';

Tabulator.registerModule([ColumnCalcsModule, FilterModule, FormatModule, InteractionModule, SortModule]);

export interface GridOptions {
  id: string;           // its part of the address, and the name of its CSV
  rows: number;
  columns: GridColumn[];
  sort?: string;        // "column:desc"; without: as the rows come
  searched?: string;    // the column that a search looks in
  exported?: GridColumn[]; // what the CSV has, if not the columns
  shown?: number;       // rows before "Show all"
  name?(row: number): string;  // what a click selects
  tools?: HTMLElement[];
}

const ROW = 25, HEAD = 30, NARROW = 620;

export class Grid {
  readonly options: GridOptions;
  readonly element: HTMLElement;
  readonly table: Tabulator;
  readonly scales: Scale[];
  matched: number; // rows that the search leaves
  whole = false;
  readonly built: Promise<void>; // Tabulator takes no orders before
  private isBuilt = false;
  private width = 0;
  private readonly app: App;
  private narrow: boolean;

  constructor(host: HTMLElement, app: App, options: GridOptions) {
    this.app = app;
    this.options = options;
    this.matched = options.rows;
    this.scales = options.columns.map(c => columnScale(c, options.rows));
    this.element = el('div', { class: 'grid' });
    this.narrow = host.clientWidth < NARROW;
    gridTools(host, app, this);
    host.append(this.element);
    this.table = this.makeTable();
    this.built = new Promise(resolve => this.table.on('tableBuilt', () => { this.isBuilt = true; resolve(); }));
    app.wait(this.built);
    gridKeys(this);
    new ResizeObserver(() => this.fit()).observe(host);
  }
  row(r: RowComponent): number {
    return r.getData().i!;
  }
  // Rows as they stand: searched and sorted.
  order(): number[] {
    return this.table.getRows('active').map(r => this.row(r));
  }
  search(typed: string): string | null {
    const p = pattern(typed), c = this.options.columns.find(column => column.id === this.options.searched);
    if (!c || p.error) return p.error;
    this.app.address.set(`${this.options.id}.q`, typed);
    this.matched = 0;
    for (let i = 0; i < this.options.rows; i++) if (p.matches(String(c.value(i) ?? ''))) this.matched++;
    this.table.setFilter(data => p.matches(String(c.value(data.i) ?? '')));
    this.fitHeight();
    return null;
  }
  showAll(whole: boolean): void {
    this.whole = whole;
    this.fitHeight();
  }
  hidden(c: GridColumn): boolean {
    const chosen = this.app.address.get(`${this.options.id}.cols`)?.split(',');
    if (chosen) return !chosen.includes(c.id);
    return !!c.hidden || (this.narrow && !c.narrow);
  }
  showColumns(): void {
    for (const [k, c] of this.options.columns.entries()) {
      const drawn = this.table.getColumn(`c${k}`);
      if (drawn.isVisible() !== !this.hidden(c)) (this.hidden(c) ? drawn.hide() : drawn.show());
    }
    this.table.redraw(true);
  }
  mark(): void {
    if (!this.isBuilt) return;
    for (const r of this.table.getRows('visible')) this.markRow(r);
  }
  csvRows(): { columns: GridColumn[]; rows: Cell[][] } {
    const columns = this.options.exported ?? this.options.columns.filter(c => c.kind !== 'bar');
    return { columns, rows: this.order().map(i => columns.map(c => c.value(i))) };
  }

  private markRow(r: RowComponent): void {
    if (r.getData().i === undefined) return; // the row of sums
    const name = this.options.name?.(this.row(r));
    r.getElement().classList.toggle('sel', name !== undefined && name === this.app.selection.name);
  }
  private height(): number {
    const all = this.matched, few = Math.min(all, this.options.shown ?? 12);
    const sums = this.options.columns.some(c => c.sum) ? ROW + 1 : 0;
    const most = Math.max(few * ROW, Math.round(innerHeight * 0.75 / ROW) * ROW);
    return HEAD + sums + Math.max(1, this.whole ? Math.min(all * ROW, most) : few * ROW) + (all ? 0 : 2 * ROW);
  }
  private fitHeight(): void {
    this.element.classList.toggle('whole', this.whole);
    this.table.setHeight(this.height());
  }
  private fit(): void {
    const width = this.element.clientWidth, narrow = width < NARROW;
    if (!this.isBuilt || width === this.width) return;
    this.width = width;
    if (narrow === this.narrow) return this.table.redraw();
    this.narrow = narrow;
    this.showColumns();
  }
  private makeTable(): Tabulator {
    const o = this.options, [column, dir = 'desc'] = (this.app.address.get(`${o.id}.sort`) ?? o.sort ?? '').split(':');
    const sorted = o.columns.findIndex(c => c.id === column);
    const table = new Tabulator(this.element, {
      data: Array.from({ length: o.rows }, (_, i) => ({ i })), columns: o.columns.map((c, k) => this.definition(c, k)),
      height: this.height(), rowHeight: ROW, layout: 'fitColumns', index: 'i', nestedFieldSeparator: false, columnCalcs: true,
      headerSortElement: '', placeholder: el('div', { class: 'none' }, 'Nothing matches.'), autoResize: false,
      rowFormatter: r => this.markRow(r), initialSort: sorted < 0 ? [] : [{ column: `c${sorted}`, dir }],
    });
    table.on('rowClick', (_: Event, r: RowComponent) => this.pick(this.row(r)));
    table.on('dataSorted', (sorters: { field: string; dir: string }[]) => {
      const s = sorters[0], now = s && `${o.columns[Number(s.field.slice(1))]!.id}:${s.dir}`;
      this.app.address.set(`${o.id}.sort`, now === o.sort ? undefined : now);
    });
    this.app.whenSelected(() => this.mark());
    return table;
  }
  pick(row: number): void {
    const name = this.options.name?.(row);
    if (name !== undefined && !getSelection()?.toString()) this.app.select({ name: name === this.app.selection.name ? undefined : name });
  }
  private definition(c: GridColumn, k: number): ColumnDefinition {
    const scale = this.scales[k]!, number = c.kind === 'number', unit = number && scale.unit !== c.title ? scale.unit : '';
    const sum = { bottomCalc: (_: unknown[], data: { i: number }[]) => data.reduce((s, d) => s + Number(c.value(d.i) ?? 0), 0),
      bottomCalcFormatter: (cell: { getValue(): unknown }) => document.createTextNode(numberText(c, scale, cell.getValue() as number)) };
    return {
      title: c.title, field: `c${k}`, visible: !this.hidden(c), cssClass: c.kind === 'text' ? 'n' : c.kind,
      ...(number ? { width: this.numberWidth(c, scale) } : { minWidth: c.kind === 'text' ? 110 : 60, widthGrow: c.kind === 'text' ? 3 : 1 }),
      ...(c.width ? { width: c.width } : {}), hozAlign: number ? 'right' : 'left', headerHozAlign: number ? 'right' : 'left',
      headerSortStartingDir: c.kind === 'text' ? 'asc' : 'desc',
      titleFormatter: () => el('span', { title: c.help, ...(c.title || unit ? {} : { role: 'img', 'aria-label': c.help || c.id }) }, c.title, unit && ` ${unit}`),
      formatter: cell => cellNode(c, scale, cell.getData().i ?? 0),
      sorter: (_a, _b, rowA, rowB, _c, dir) => compare(c, this.row(rowA), this.row(rowB), dir),
      ...(c.sum && number ? sum : {}),
    };
  }
  // As wide as the longest number and the header need.
  private numberWidth(c: GridColumn, scale: Scale): number {
    let longest = c.title.length + scale.unit.length + 4; // room for the mark of a sorted column
    let largest = 0, sum = 0;
    for (let i = 0; i < this.options.rows; i++) {
      largest = Math.max(largest, Math.abs(Number(c.value(i) ?? 0)));
      sum += Number(c.value(i) ?? 0);
    }
    longest = Math.max(longest, numberText(c, scale, largest).length + 1, c.sum ? numberText(c, scale, sum).length + 2 : 0); // sums are bold
    return 20 + Math.round(longest * 7.2);
  }
}
