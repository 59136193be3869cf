// Where lanes and their shelves lie on the canvas, in CSS pixels from its top left.
import type { Lane, Lanes } from './lanes';

export const AXIS = 22; // height of the axis of time
const MOST_LANES = 24;

export interface Row {
  lane: Lane; y: number;
  height: number; // of a shelf
  open: boolean;  // shelves as high as a line of text
}

export interface Layout { rows: Row[]; height: number; gutter: number; narrow: boolean; hidden: number }

const KINDS = { path: 0, annotation: 1, thread: 2, stream: 3 };

// The path, then threads, then streams; of very many, those that decide or do the most.
function chosen(lanes: Lanes, all: boolean): Lane[] {
  const used = lanes.lane.filter(l => l.busy > 0 || l.kind === 'path');
  const rank = used.slice().sort((a, b) => KINDS[a.kind] - KINDS[b.kind] && (a.kind === 'path' ? -1 : b.kind === 'path' ? 1 : 0) || b.onPath - a.onPath || b.busy - a.busy);
  const keep = new Set(all ? used : rank.slice(0, MOST_LANES));
  return used.filter(l => keep.has(l)).map((l, i) => [l, i] as const)
    .sort(([a, i], [b, k]) => Number(a.kind === 'stream') - Number(b.kind === 'stream') || Number(b.kind === 'path') - Number(a.kind === 'path') || i - k).map(([l]) => l);
}

// A lane of deep nesting shows all of it, in lines of a few pixels, until it is opened.
function shelfHeight(lane: Lane, open: boolean): number {
  const full = lane.kind === 'path' ? 18 : lane.kind === 'stream' ? 20 : 14;
  return open || lane.depth <= 8 ? full : Math.max(3, Math.floor(112 / lane.depth));
}

export function layOut(lanes: Lanes, width: number, opened: Set<Lane>, all: boolean): Layout {
  const narrow = width < 560, rows: Row[] = [], show = chosen(lanes, all);
  let y = AXIS;
  for (const lane of show) {
    if (narrow) y += 14; // the lane's name lies above it
    const height = shelfHeight(lane, opened.has(lane));
    rows.push({ lane, y, height, open: opened.has(lane) });
    y += lane.depth * height + (narrow ? 2 : lane.kind === 'stream' ? 3 : 7);
  }
  const used = lanes.lane.filter(l => l.busy > 0 || l.kind === 'path').length;
  return { rows, height: y + 2, gutter: narrow ? 0 : 116, narrow, hidden: used - show.length };
}

export function rowAt(layout: Layout, y: number): Row | undefined {
  return layout.rows.find(r => y >= r.y && y < r.y + r.lane.depth * r.height);
}

export const shelfAt = (row: Row, y: number): number => row.lane.shelf + Math.min(row.lane.depth - 1, Math.floor((y - row.y) / row.height));
export const shelfY = (row: Row, shelf: number): number => row.y + (shelf - row.lane.shelf) * row.height;
