/*
 * Keys are a dozen 32-bit ids, hashed as bytes into an open table of group numbers;
 * no text is looked at but once per distinct name. A counting sort then puts the rows
 * of a group side by side.
 */
#include "analysis/ops_group.h"

#include "base/hash.h"

#define MODULE_PREFIX "nn.Module:"

struct grouping {
	struct ops_model *m;
	const struct ops_rows *rows;
	unsigned by;
	struct ops_groups *out;
	struct arena *arena; /* of the keys */
	uint32_t cap;
	const struct pairs *pairs; /* for modules */
	uint32_t *class_of_name;   /* of each string: row of modules + 1; 0: not asked yet */
	uint32_t *slot;            /* group + 1; 0: free */
	uint32_t mask;
	uint32_t *group; /* of each row */
};

static string_id arg_string(const struct trace *tr, event_id e, uint16_t key)
{
	struct arg arg;

	if (!arg_find(tr, e, key, &arg) || (arg.type != ARG_TEXT && arg.type != ARG_STR))
		return NONE;
	return arg.value;
}

/* "nn.Module: Linear" of "nn.Module: Linear_12". */
static struct str without_instance(struct str name)
{
	size_t n = name.n;

	while (n && name.p[n - 1] >= '0' && name.p[n - 1] <= '9')
		n--;
	return n && n < name.n && name.p[n - 1] == '_' ? (struct str){ name.p, n - 1 } : name;
}

static uint32_t module_class(struct grouping *g, string_id name)
{
	uint32_t *known = &g->class_of_name[name];

	if (!*known) {
		struct str text = without_instance(strings_get(&g->m->tr->strings, name));
		*known = strings_add(&g->out->modules, text.p, text.n) + 1;
	}
	return *known - 1;
}

/*
 * The class of the nearest module at or above the node; NONE if there is none. The threads
 * of a backward pass have no frames: there the forward operator is asked, once.
 */
static uint32_t module_above(struct grouping *g, node_id i)
{
	const struct tree *t = g->m->l->tree;
	const struct events *ev = &g->m->tr->ev;
	bool forward = false;

	while (i != NONE) {
		event_id e = t->event[i];
		if (ev->kind[e] == KIND_PYTHON &&
		    str_starts(trace_name(g->m->tr, e), STR(MODULE_PREFIX)))
			return module_class(g, ev->name[e]);
		bool jump = !forward && g->pairs->forward[e] != NONE;
		i = jump ? t->node[g->pairs->forward[e]] : t->parent[i];
		forward |= jump;
	}
	return NONE;
}

static struct ops_key no_key(void)
{
	struct ops_key k;

	memset(&k, 0xff, sizeof(k));
	return k;
}

static event_id first_kernel(const struct grouping *g, uint32_t row)
{
	const struct links *l = g->m->l;
	const uint32_t *work = g->rows->work;
	uint32_t i = g->rows->at[row].first, to = g->rows->at[row + 1].first;
	event_id first = l->gpu[work[i]];

	while (++i < to)
		if (g->m->tr->ev.ts[l->gpu[work[i]]] < g->m->tr->ev.ts[first])
			first = l->gpu[work[i]];
	return first;
}

static void add_name(struct grouping *g, uint32_t row, struct ops_key *k)
{
	const struct ops_row *r = &g->rows->at[row];
	const struct events *ev = &g->m->tr->ev;

	k->name = ev->name[ops_row_event(g->m->l, g->rows, row)];
	if (r->synthetic)
		k->kernel = ev->name[g->m->l->gpu[g->rows->work[r->first]]];
}

static void add_place(struct grouping *g, event_id e, bool on_gpu, struct ops_key *k)
{
	const struct trace *tr = g->m->tr;
	const struct lane *lane = &tr->lanes.at[tr->ev.lane[e]];

	k->process = lane->process;
	k->process_name = lane->process_name == NONE ? lane->pid : lane->process_name;
	if (on_gpu)
		k->stream = tr->ev.lane[e];
	else
		k->thread = lane->thread_name == NONE ? lane->tid : lane->thread_name;
}

static void add_args(struct grouping *g, event_id e, struct ops_key *k)
{
	const struct trace *tr = g->m->tr;

	k->dims = arg_string(tr, e, KEY_INPUT_DIMS);
	k->types = arg_string(tr, e, KEY_INPUT_TYPE);
	k->strides = arg_string(tr, e, KEY_INPUT_STRIDES);
	k->concrete = arg_string(tr, e, KEY_CONCRETE_INPUTS);
}

static void add_category(struct grouping *g, uint32_t row, struct ops_key *k)
{
	const struct ops_row *r = &g->rows->at[row];

	k->category = ops_model_category(g->m, r->node, r->synthetic, first_kernel(g, row));
}

static struct ops_key key_of(struct grouping *g, uint32_t row)
{
	struct ops_key k = no_key();
	node_id node = g->rows->at[row].node;
	event_id e = ops_row_event(g->m->l, g->rows, row);

	if (g->by == LP_BY_MODULE) {
		k.module = module_above(g, node);
		return k;
	}
	if (g->by != LP_BY_CATEGORY)
		add_name(g, row, &k);
	if (g->by != LP_BY_NAME)
		add_category(g, row, &k);
	if (g->by == LP_BY_ARGS || g->by == OPS_BY_ROW) {
		add_place(g, e, node == NONE, &k);
		if (node != NONE)
			add_args(g, e, &k);
	}
	return k;
}

static uint32_t new_group(struct grouping *g, const struct ops_key *k)
{
	struct ops_groups *out = g->out;

	if (out->n == g->cap) {
		g->cap = 2 * g->cap + 64;
		struct ops_key *more = NEW(g->arena, g->cap, struct ops_key);
		if (out->n)
			memcpy(more, out->key, out->n * sizeof(*more));
		out->key = more;
	}
	out->key[out->n] = *k;
	return out->n++;
}

static uint32_t group_of(struct grouping *g, const struct ops_key *k)
{
	uint64_t h = hash_bytes((const char *)k, sizeof(*k));

	for (uint32_t i = (uint32_t)h & g->mask;; i = (i + 1) & g->mask) {
		if (!g->slot[i])
			return (g->slot[i] = new_group(g, k) + 1) - 1;
		if (!memcmp(&g->out->key[g->slot[i] - 1], k, sizeof(*k)))
			return g->slot[i] - 1;
	}
}

static void sort_by_group(struct ops_groups *out, const uint32_t *group, uint32_t nrows,
			  uint32_t *next)
{
	for (uint32_t i = 0; i < nrows; i++)
		out->first[group[i] + 1]++;
	for (uint32_t i = 0; i < out->n; i++) {
		out->first[i + 1] += out->first[i];
		next[i] = out->first[i];
	}
	for (uint32_t i = 0; i < nrows; i++)
		out->row[next[group[i]]++] = i;
}

struct ops_groups ops_group(struct arena *a, struct ops_model *m, const struct ops_rows *rows,
			    unsigned by)
{
	struct ops_groups out = { 0 };
	struct arena scratch = { 0 };
	struct grouping g = { .m = m, .rows = rows, .by = by, .out = &out, .arena = a, .mask = 15 };
	uint32_t n = rows->n;

	while (g.mask < 2 * (uint64_t)n)
		g.mask = 2 * g.mask + 1;
	out.row = NEW(a, n, uint32_t);
	out.first = NEW(a, (size_t)n + 1, uint32_t);
	g.slot = NEW(&scratch, (size_t)g.mask + 1, uint32_t);
	g.group = NEW(&scratch, n, uint32_t);
	if (by == LP_BY_MODULE) {
		g.pairs = trace_pairs(m->tr);
		g.class_of_name = NEW(&scratch, m->tr->strings.n, uint32_t);
	}

	for (uint32_t i = 0; i < n; i++) {
		struct ops_key k = key_of(&g, i);
		g.group[i] = by == OPS_BY_ROW ? new_group(&g, &k) : group_of(&g, &k);
	}
	sort_by_group(&out, g.group, n, NEW(&scratch, out.n, uint32_t));
	arena_free(&scratch);
	return out;
}

void ops_groups_free(struct ops_groups *g)
{
	strings_free(&g->modules);
}
