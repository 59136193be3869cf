// The tables of an answer, unpacked from the page (src/render/render_html_data.c writes them).

export type Cell = number | string | boolean | null;
export type Unit = 'plain' | 'count' | 'nsec' | 'bytes' | 'percent';

// enum lp_column_flag in longpole.h
export const SUM = 1, DETAIL = 2, LESSER = 4, BAR = 8, NAME = 16, TREE = 32, DELTA = 64, DIMS = 2048, PICTURE = 4096;

interface RawColumn {
  name: string; title: string | null; help: string | null;
  type: 'i64' | 'f64' | 'str' | 'bool' | 'row'; unit: Unit; flags: number;
  data: Cell[] | { dict: string[]; index: (number | null)[] } | { delta: number[] };
}

function unpack(raw: RawColumn): Cell[] {
  const data = raw.data;
  if (Array.isArray(data)) return raw.type === 'bool' ? data.map(v => (v === null ? null : !!v)) : data;
  if ('dict' in data) return data.index.map(i => (i === null ? null : data.dict[i]!));
  let sum = 0;
  return data.delta.map(d => (sum += d));
}

export class Column {
  readonly name: string; readonly title: string; readonly help: string;
  readonly type: RawColumn['type']; readonly unit: Unit; readonly flags: number;
  private raw: RawColumn;
  private cells: Cell[] | null = null; // unpacked when first asked for

  constructor(raw: RawColumn) {
    this.raw = raw;
    this.name = raw.name;
    this.title = raw.title ?? raw.name;
    this.help = raw.help ?? '';
    this.type = raw.type;
    this.unit = raw.unit;
    this.flags = raw.flags;
  }
  get values(): Cell[] {
    return (this.cells ??= unpack(this.raw));
  }
  // 0 where a value is missing
  num(row: number): number {
    const v = this.values[row];
    return v === null || v === undefined ? 0 : Number(v);
  }
  text(row: number): string {
    const v = this.values[row];
    return v === null || v === undefined ? '' : String(v);
  }
  missing(row: number): boolean {
    return this.values[row] === null;
  }
  // The different texts, and which of them each row has (-1: missing): for loops over many rows.
  coded(): { texts: string[]; code: Int32Array } {
    const data = this.raw.data;
    const n = this.values.length, code = new Int32Array(n).fill(-1), seen = new Map<Cell, number>();
    if (!Array.isArray(data) && 'dict' in data) {
      for (let i = 0; i < n; i++) code[i] = data.index[i] ?? -1;
      return { texts: data.dict, code };
    }
    for (let i = 0; i < n; i++) {
      const v = this.values[i]!;
      if (v === null) continue;
      if (!seen.has(v)) seen.set(v, seen.size);
      code[i] = seen.get(v)!;
    }
    return { texts: [...seen.keys()].map(String), code };
  }
  // Numbers of rows; -1: missing.
  rows(): Int32Array {
    const { values } = this, rows = new Int32Array(values.length);
    for (let i = 0; i < values.length; i++) rows[i] = Number(values[i] ?? -1);
    return rows;
  }
  // For loops over many rows; missing is 0.
  float64(): Float64Array {
    const { values } = this, numbers = new Float64Array(values.length); // from() with a function is ten times slower
    for (let i = 0; i < values.length; i++) numbers[i] = Number(values[i] ?? 0);
    return numbers;
  }
}

interface RawTable { name: string; rows: number; tree: boolean; detail: boolean; labels?: (string | null)[]; columns: RawColumn[] }

export class Table {
  readonly name: string; readonly rows: number; readonly tree: boolean; readonly detail: boolean;
  readonly columns: Column[];
  readonly labels: (string | null)[] | null; // instead of the first text; '': a row for programs only

  constructor(raw: RawTable) {
    this.name = raw.name;
    this.rows = raw.rows;
    this.tree = raw.tree;
    this.detail = raw.detail;
    this.labels = raw.labels ?? null;
    this.columns = raw.columns.map(c => new Column(c));
  }
  has(name: string): boolean {
    return this.columns.some(c => c.name === name);
  }
  // A column that must be there: tables of one version of the tool always have it.
  column(name: string): Column {
    const c = this.columns.find(column => column.name === name);
    if (!c) throw new Error(`table ${this.name} has no column ${name}`);
    return c;
  }
  row(i: number): Record<string, Cell> {
    return Object.fromEntries(this.columns.map(c => [c.name, c.values[i] ?? null]));
  }
  // The first row whose column has this value, or -1.
  find(name: string, value: Cell): number {
    return this.column(name).values.indexOf(value);
  }
}

interface RawAnswer {
  version: number; kind: 'report' | 'diff' | 'answer'; headline: string | null;
  doubts: string[]; next: string[]; tables: RawTable[];
}

export class Answer {
  readonly kind: RawAnswer['kind']; readonly headline: string;
  readonly doubts: string[]; readonly next: string[]; readonly tables: Table[];

  constructor(raw: RawAnswer) {
    if (raw.version !== 1) throw new Error(`these tables are of version ${raw.version}, not 1`);
    this.kind = raw.kind;
    this.headline = raw.headline ?? '';
    this.doubts = raw.doubts;
    this.next = raw.next;
    this.tables = raw.tables.map(t => new Table(t));
  }
  // Only if it is there and has rows.
  table(name: string): Table | undefined {
    return this.tables.find(t => t.name === name && t.rows > 0);
  }
}

function held(id: 'first' | 'data'): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error('the page holds no data');
  element.remove();
  return element;
}

// The small tables of the page, which are there as they are.
export function firstTables(): Answer {
  return new Answer(JSON.parse(held('first').textContent!) as RawAnswer);
}

// All tables of the page, which are packed.
export async function allTables(): Promise<Answer> {
  const text = atob(held('data').textContent!), packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Answer(JSON.parse(await new Response(stream).text()) as RawAnswer);
}
