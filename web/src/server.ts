// What is behind the page when `longpole serve` gave it out: more of the trace than a file can hold.
import { Answer, type Cell } from './data';

type Rows = Record<string, { columns: string[]; rows: Cell[][] }>;

// Tables as `-f json` has them, row by row and without types.
export function answerOfRows(tables: Rows): Answer {
  const column = (name: string, data: Cell[]) => ({
    name, title: null, help: null, unit: 'plain' as const, flags: 0, data,
    type: data.some(v => typeof v === 'string') ? ('str' as const) : data.some(v => typeof v === 'boolean') ? ('bool' as const) : ('f64' as const),
  });
  return new Answer({
    version: 1, kind: 'answer', headline: null, doubts: [], next: [],
    tables: Object.entries(tables).map(([name, t]) => ({
      name, rows: t.rows.length, tree: false, detail: false, columns: t.columns.map((c, k) => column(c, t.rows.map(row => row[k]!))),
    })),
  });
}

async function ask(what: string): Promise<Answer> {
  const response = await fetch(what);
  if (!response.ok) throw new Error(await response.text());
  return answerOfRows((await response.json()) as Rows);
}

export interface ServedNode { name: string; total: number; count: number; opens: boolean; leaf: number; at: number }

export class Server {
  // picture_lanes and picture_events of [start, end), no finer than `grain` ns.
  tile(start: number, end: number, grain: number): Promise<Answer> {
    return ask(`tile?start=${Math.floor(start)}&end=${Math.ceil(end)}&grain=${grain}`);
  }
  // The roots of a call tree, or what hangs from one of its nodes.
  async nodes(weight: 'cpu' | 'gpu', inverted: boolean, waits: boolean, below?: ServedNode): Promise<ServedNode[]> {
    const of = below ? `&leaf=${below.leaf}&at=${below.at}` : '';
    const t = (await ask(`nodes?weight=${weight}&invert=${Number(inverted)}&waits=${Number(waits)}${of}`)).table('nodes');
    if (!t) return [];
    const col = (name: string) => t.column(name);
    return Array.from({ length: t.rows }, (_, i) => ({
      name: col('name').text(i), total: col('total').num(i), count: col('count').num(i), opens: !!col('has_children').values[i],
      leaf: col('leaf').num(i), at: col('at').num(i),
    }));
  }
}

// A page that lies in a file, or with some other server, stands alone.
export async function findServer(): Promise<Server | null> {
  if (!location.protocol.startsWith('http')) return null;
  try {
    const response = await fetch('served');
    return response.ok && ((await response.json()) as { served?: number }).served === 1 ? new Server() : null;
  } catch {
    return null;
  }
}
