// How much of the time of kernels lies on the critical path. `path_events` has it by name of
// kernel, so for an operator it is known if no kernel of its own runs for another one, too.
import type { Answer, Table } from './data';
import type { Group } from './groups';

export function pathTimes(a: Answer): Map<string, number> | null {
  const t = a.table('path_events');
  if (!t) return null;
  const name = t.column('name'), time = t.column('on_path_ns'), times = new Map<string, number>();
  for (let i = 0; i < t.rows; i++) times.set(name.text(i), (times.get(name.text(i)) ?? 0) + time.num(i));
  return times;
}

function kernelNames(ops: Table, rows: number[]): Set<string> {
  const details = ops.column('kernel_details'), names = new Set<string>();
  for (const row of rows)
    if (details.text(row)) for (const k of JSON.parse(details.text(row)) as { name: string }[]) names.add(k.name);
  return names;
}

// One for each group; null: not known.
export function groupsOnPath(a: Answer, ops: Table, groups: Group[]): (number | null)[] {
  const times = pathTimes(a);
  if (!times || !ops.has('kernel_details')) return groups.map(() => null);
  const names = groups.map(g => kernelNames(ops, g.rows)), users = new Map<string, number>();
  for (const set of names) for (const name of set) users.set(name, (users.get(name) ?? 0) + 1);
  return names.map(set => {
    let time = 0;
    for (const name of set) {
      const onPath = times.get(name) ?? 0;
      if (onPath > 0 && users.get(name)! > 1) return null;
      time += onPath;
    }
    return time;
  });
}
