// Rows of the tree as the server behind the page knows them: every node, opened one by one.
import type { Server, ServedNode } from '../../server';
import type { Weight } from './call_tree';
import type { Item } from './tree_rows';

export interface Asking { server: Server; weight: Weight; inverted: boolean; waits: boolean; changed: () => void }

function item(ask: Asking, node: ServedNode): Item {
  let children: Item[] | null = null, asked = false;
  const open = (): Item[] => {
    if (!asked) {
      asked = true;
      void servedItems(ask, node).then(items => {
        children = items;
        ask.changed();
      }).catch((error: unknown) => console.warn(error));
    }
    return children ?? [];
  };
  return { name: node.name, total: node.total, calls: node.count, children: node.opens ? open : null };
}

export async function servedItems(ask: Asking, below?: ServedNode): Promise<Item[]> {
  const nodes = await ask.server.nodes(ask.weight, ask.inverted, ask.waits, below);
  return nodes.filter(n => n.total > 0).map(n => item(ask, n));
}
