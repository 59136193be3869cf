// What the page uses of Tabulator, which brings no types.
declare module 'tabulator-tables' {
  export interface RowComponent { getData(): { i?: number }; getElement(): HTMLElement }
  export interface CellComponent { getRow(): RowComponent; getData(): { i?: number }; getValue(): unknown }
  export interface ColumnComponent { getField(): string; isVisible(): boolean; show(): void; hide(): void; getElement(): HTMLElement }
  export interface ColumnDefinition {
    title: string; field: string; visible?: boolean; width?: number; minWidth?: number; widthGrow?: number;
    hozAlign?: 'left' | 'right'; headerHozAlign?: 'left' | 'right'; headerSortStartingDir?: 'asc' | 'desc'; cssClass?: string;
    titleFormatter?: () => Node; formatter?: (cell: CellComponent) => Node;
    sorter?: (a: unknown, b: unknown, rowA: RowComponent, rowB: RowComponent, column: unknown, dir: 'asc' | 'desc') => number;
    bottomCalc?: (values: unknown[], data: { i: number }[]) => unknown; bottomCalcFormatter?: (cell: CellComponent) => Node;
  }
  export interface Options {
    data: object[]; columns: ColumnDefinition[]; height: number; rowHeight: number; layout: string; index: string;
    nestedFieldSeparator: boolean; headerSortElement: string; placeholder: HTMLElement; rowFormatter: (row: RowComponent) => void;
    initialSort: { column: string; dir: string }[]; columnCalcs: boolean; renderVerticalBuffer?: number; autoResize?: boolean;
  }
  export class Tabulator {
    static registerModule(modules: unknown[]): void;
    constructor(element: HTMLElement, options: Options);
    on(event: string, f: (...a: never[]) => void): void;
    setFilter(f: (data: { i: number }) => boolean): void;
    setHeight(height: number): void;
    setSort(column: string, dir: string): void;
    getSorters(): { field: string; dir: string }[];
    getRows(which: 'active' | 'visible'): RowComponent[];
    getColumns(): ColumnComponent[];
    getColumn(field: string): ColumnComponent;
    scrollToRow(row: RowComponent, position: string, ifVisible: boolean): Promise<void>;
    redraw(force?: boolean): void;
  }
  export const FormatModule: unknown, SortModule: unknown, FilterModule: unknown, InteractionModule: unknown,
    ColumnCalcsModule: unknown, ResizeColumnsModule: unknown;
}
