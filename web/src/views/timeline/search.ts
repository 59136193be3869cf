// Search: dims what does not match, counts what does. It never hides anything.
import { count, duration } from '../../format';
import type { Lanes } from './lanes';
import type { Search } from './state';

export function search(l: Lanes, text: string): Search | null {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return null;
  const match = Uint8Array.from(l.names, name => Number(name.toLowerCase().includes(wanted)));
  const n = l.name.length, hits = new Uint32Array(n + 1);
  let events = 0, gpu = 0;
  for (let s = 0; s < l.laneOf.length; s++) {
    const { kind } = l.lane[l.laneOf[s]!]!;
    for (let i = l.bars.shelf[s]!; i < l.bars.shelf[s + 1]!; i++) {
      const hit = kind !== 'path' && l.name[i]! >= 0 ? match[l.name[i]!]! : 0;
      hits[i + 1] = hits[i]! + hit;
      if (!hit) continue;
      events += l.count[i]!;
      if (kind === 'stream') gpu += l.bars.sum[i + 1]! - l.bars.sum[i]!;
    }
  }
  return { text: wanted, hits, events, gpu };
}

export function searchText(l: Lanes, found: Search): string {
  if (!found.events) return 'No event has this text. Names are searched, not arguments.';
  return `${l.merged ? 'about ' : ''}${count(found.events)} events, GPU ${duration(found.gpu)}`;
}

// The next hit in time after bar `from`, or before it; around the end it starts again.
export function nextHit(l: Lanes, found: Search, from: number, direction: 1 | -1): number {
  const at = (i: number): [number, number] => [l.bars.start[i]!, i];
  const before = (a: [number, number], b: [number, number]): boolean => (a[0] - b[0] || a[1] - b[1]) * direction < 0;
  const here: [number, number] = from < 0 ? [-Infinity * direction, -1] : at(from);
  let next = -1, around = -1;
  for (let i = 0; i < l.name.length; i++) {
    if (found.hits[i] === found.hits[i + 1]) continue;
    if (around < 0 || before(at(i), at(around))) around = i;
    if (before(here, at(i)) && (next < 0 || before(at(i), at(next)))) next = i;
  }
  return next < 0 ? around : next;
}
