/* Nodes of a call tree as a table, one level at a time: for a viewer that opens them one by one. */
#include "base/scaled.h"
#include "base/table.h"

#include <stdlib.h>

struct columns {
	const char **name;
	double *total, *self, *wait;
	int64_t *count, *children, *leaf, *at;
};

static struct columns new_columns(struct arena *arena, uint32_t n)
{
	return (struct columns){
		.name = NEW(arena, n, const char *),
		.total = NEW(arena, n, double),
		.self = NEW(arena, n, double),
		.wait = NEW(arena, n, double),
		.count = NEW(arena, n, int64_t),
		.children = NEW(arena, n, int64_t),
		.leaf = NEW(arena, n, int64_t),
		.at = NEW(arena, n, int64_t),
	};
}

static void fill(struct lp_tree *t, const struct columns *c, uint32_t row, struct lp_node n,
		 double unit)
{
	struct lp_node_data d;

	if (!lp_tree_node(t, n, &d))
		abort(); /* it was given by the tree itself */
	c->name[row] = d.name;
	c->total[row] = (double)d.total / unit;
	c->self[row] = (double)d.self / unit;
	c->wait[row] = (double)d.wait / unit;
	c->count[row] = d.count;
	c->children[row] = d.has_children;
	c->leaf[row] = n.leaf;
	c->at[row] = n.at;
}

static void add_table(struct lp_answer *a, uint32_t n, const struct columns *c)
{
	struct lp_table *t = answer_table(a, "nodes", n);

	t->whole = true;
	table_str(t, "name", NULL, 0, c->name, "function");
	table_f64(t, "total", NULL, LP_PLAIN, 0, c->total, "weight of the node and all below it");
	table_f64(t, "self", NULL, LP_PLAIN, 0, c->self, "weight of the node alone");
	table_f64(t, "waiting", NULL, LP_PLAIN, 0, c->wait,
		  "the part of total in which calls only wait for a GPU");
	table_i64(t, "count", NULL, LP_COUNT, 0, c->count, "samples, calls or kernels");
	table_bool(t, "has_children", NULL, 0, c->children, "whether it can be opened");
	table_i64(t, "leaf", NULL, LP_PLAIN, 0, c->leaf, "with at, the name of the node");
	table_i64(t, "at", NULL, LP_PLAIN, 0, c->at, "with leaf, the name of the node");
}

struct lp_answer *lp_tree_nodes(struct lp_tree *t, const struct lp_node *below, uint32_t limit,
				struct lp_error *err)
{
	struct lp_answer *a = answer_new();
	struct lp_node *nodes = NEW(answer_arena(a), limit, struct lp_node);
	uint32_t all = below ? lp_tree_children(t, *below, nodes, limit)
			     : lp_tree_roots(t, nodes, limit);
	uint32_t n = MIN_OF(all, limit);
	struct columns c = new_columns(answer_arena(a), n);
	unsigned places;

	(void)err;
	lp_tree_sum(t, NULL, &places);
	for (uint32_t i = 0; i < n; i++)
		fill(t, &c, i, nodes[i], (double)scaled_power(places));
	add_table(a, n, &c);
	if (n < all)
		answer_doubt(a, "only the heaviest %u of %u are listed", n, all);
	return a;
}
