// The call tree's answer: the function with the most time of its own.
import { duration, percent } from '../../format';
import { selfOf, totalsOf, type CallTree, type Weight } from './call_tree';
import { heaviest } from './invert_tree';

export function sentence(t: CallTree, weight: Weight, waits: boolean): string | null {
  const self = selfOf(t, weight, waits), top = heaviest(t, self), all = totalsOf(t, self)[t.n]!;
  if (!top) return null;
  const name = top.name.length > 80 ? `${top.name.slice(0, 79)}…` : top.name, what = weight === 'gpu' ? 'launches the most GPU work' : 'holds the most CPU time of its own';
  return `${name} ${what}: ${duration(top.self)}, ${percent(100 * top.self / all, 0)}.`;
}
