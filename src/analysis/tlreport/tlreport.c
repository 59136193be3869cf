/* What the sheets share: lists of work in the original's order, busy time, texts, categories. */
#include "analysis/tlreport/tlreport.h"

#include "algo/sort.h"
#include "analysis/arch.h"
#include "analysis/doubt.h"
#include "analysis/pyrepr.h"
#include "analysis/tlreport/tlcost.h"
#include "analysis/tlreport/tlstack.h"
#include "base/say.h"

double tlreport_us(const struct trace *tr, event_id e)
{
	return (double)tr->ev.dur[e] / 1000;
}

bool tlreport_is_comm(const struct tlreport *r, uint32_t gpu)
{
	return gpu_class(r->tr, r->l->gpu[gpu]) == GPU_COMM;
}

/* ---- lists of work ---- */

static bool rank_before(const void *ctx, uint32_t a, uint32_t b)
{
	const uint32_t *rank = ctx;

	return rank[a] < rank[b];
}

static bool launched_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct links *l = ctx;

	if (l->launch[a] != l->launch[b])
		return l->launch[a] < l->launch[b];
	return l->gpu[a] < l->gpu[b];
}

static void rank_work(struct tlreport *r)
{
	uint32_t n = r->l->n, *order = NEW(&r->scratch, n, uint32_t);

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	sort_ids(order, n, NEW(&r->scratch, n, uint32_t), launched_before, r->l);
	r->rank = NEW(&r->scratch, n, uint32_t);
	for (uint32_t i = 0; i < n; i++)
		r->rank[order[i]] = i;
}

struct tlwork tlreport_below(struct tlreport *r, node_id i)
{
	const uint32_t *at = r->l->below + r->l->first[i];
	uint32_t n = r->l->first[r->t->end[i]] - r->l->first[i], k = 1;

	while (k < n && r->rank[at[k - 1]] < r->rank[at[k]])
		k++;
	if (k >= n)
		return (struct tlwork){ n, at };
	uint32_t *sorted = NEW(&r->scratch, n, uint32_t);
	memcpy(sorted, at, n * sizeof(*sorted));
	sort_ids(sorted, n, NEW(&r->scratch, n, uint32_t), rank_before, r->rank);
	return (struct tlwork){ n, sorted };
}

static bool starts_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct tlreport *r = ctx;

	return r->tr->ev.ts[r->l->gpu[a]] < r->tr->ev.ts[r->l->gpu[b]];
}

static double add_union(const struct tlreport *r, const uint32_t *gpu, uint32_t n)
{
	double sum = 0, start = 0, end = 0;

	for (uint32_t i = 0; i < n; i++) {
		event_id e = r->l->gpu[gpu[i]];
		double from = (double)r->tr->ev.ts[e] / 1000, to = from + tlreport_us(r->tr, e);

		if (i && from <= end) {
			end = MAX_OF(end, to);
			continue;
		}
		sum += end - start;
		start = from;
		end = to;
	}
	return sum + (end - start);
}

double tlreport_busy(struct tlreport *r, struct tlwork w)
{
	uint32_t k = 1;

	while (k < w.n && !starts_before(r, w.gpu[k], w.gpu[k - 1]))
		k++;
	if (k >= w.n)
		return add_union(r, w.gpu, w.n);
	struct arena_mark mark = arena_mark(&r->scratch);
	uint32_t *sorted = NEW(&r->scratch, w.n, uint32_t);
	memcpy(sorted, w.gpu, w.n * sizeof(*sorted));
	sort_ids(sorted, w.n, NEW(&r->scratch, w.n, uint32_t), starts_before, r);
	double busy = add_union(r, sorted, w.n);
	arena_rewind(&r->scratch, mark);
	return busy;
}

node_id tlreport_op_above(const struct tlreport *r, node_id i)
{
	while (i != NONE && r->tr->ev.kind[r->t->event[i]] != KIND_CPU_OP)
		i = r->t->parent[i];
	return i;
}

/* ---- texts ---- */

string_id tlreport_arg_id(const struct tlreport *r, event_id e, uint16_t key)
{
	struct arg arg;

	if (!arg_find(r->tr, e, key, &arg) || (arg.type != ARG_TEXT && arg.type != ARG_STR))
		return NONE;
	return arg.value;
}

const char *tlreport_arg(struct tlreport *r, event_id e, uint16_t key, bool tuples)
{
	string_id id = tlreport_arg_id(r, e, key);

	if (id == NONE)
		return NULL;
	const char **text = tuples ? &r->tuples[id] : &r->lists[id];
	if (!*text)
		*text = pyrepr(r->arena, strings_get(&r->tr->strings, id),
			       tuples ? PYREPR_TUPLES : PYREPR_LISTS);
	return *text;
}

static const char *name_or_unknown(const struct tlreport *r, string_id s)
{
	return s == NONE ? "Unknown" : strings_get(&r->tr->strings, s).p;
}

static const struct lane *lane_of(const struct tlreport *r, event_id e)
{
	return &r->tr->lanes.at[r->tr->ev.lane[e]];
}

const char *tlreport_process(const struct tlreport *r, event_id e)
{
	return name_or_unknown(r, lane_of(r, e)->process_name);
}

const char *tlreport_label(const struct tlreport *r, event_id e)
{
	return name_or_unknown(r, lane_of(r, e)->process_labels);
}

const char *tlreport_thread(const struct tlreport *r, event_id e)
{
	return name_or_unknown(r, lane_of(r, e)->thread_name);
}

/* ---- categories ---- */

static enum op_category category_of_kernel(struct str name)
{
	if (!str_starts(name, STR("void at::native")))
		return CAT_OTHER;
	if (str_contains(name, STR("elementwise")))
		return CAT_ELEMENTWISE;
	if (str_contains(name, STR("reduce")))
		return CAT_REDUCE;
	return str_contains(name, STR("multi_tensor_apply")) ? CAT_MULTI_TENSOR_APPLY : CAT_OTHER;
}

enum op_category tlreport_category_by_kernel(const struct tlreport *r, event_id e)
{
	struct str name = trace_name(r->tr, e);
	uint32_t owner = r->owner_of[e];

	if (str_starts(name, STR("triton")))
		return CAT_TRITON;
	if (str_starts(name, STR("record_param_comms")))
		return CAT_RECORD_PARAM_COMMS;
	if (owner == NONE || !r->owner[owner].direct.n)
		return CAT_OTHER;
	return category_of_kernel(trace_name(r->tr, r->l->gpu[r->owner[owner].direct.gpu[0]]));
}

enum op_category tlreport_category(const struct tlreport *r, event_id e)
{
	const struct opmodel *m = opmodel_find(trace_name(r->tr, e));

	if (m && m->category != CAT_NONE)
		return m->category;
	return tlreport_category_by_kernel(r, e);
}

/* ---- activation checkpointing ---- */

/* What runs below the frame of torch.utils.checkpoint that runs the forward pass again. */
static uint8_t *find_recomputed(struct tlreport *r)
{
	const struct tree *t = trace_tree(r->tr, TREE_FULL);
	uint8_t *out = NEW(&r->scratch, r->tr->ev.n, uint8_t);

	for (node_id i = 0; i < t->n; i++) {
		event_id e = t->event[i];
		struct str name = trace_name(r->tr, e);

		if (t->parent[i] != NONE)
			out[e] = out[t->event[t->parent[i]]];
		out[e] |= r->tr->ev.kind[e] == KIND_PYTHON &&
			  str_contains(name, STR("torch/utils/checkpoint.py")) &&
			  str_contains(name, STR("recompute_fn"));
	}
	for (uint32_t i = 0; i < r->l->n; i++)
		if (r->l->launch[i] != NONE)
			out[r->l->gpu[i]] = out[r->l->launch[i]];
	return out;
}

bool tlreport_recomputed(const struct tlreport *r, event_id e)
{
	return r->recomputed && r->recomputed[e];
}

void tlreport_key(const struct tlreport *r, event_id e, uint32_t *words)
{
	const struct lane *lane = &r->tr->lanes.at[r->tr->ev.lane[e]];
	const uint32_t key[TLREPORT_KEY_WORDS] = {
		r->tr->ev.name[e],
		lane->process_name,
		lane->process_labels,
		lane->thread_name,
		tlreport_arg_id(r, e, KEY_INPUT_DIMS),
		tlreport_arg_id(r, e, KEY_INPUT_TYPE),
		tlreport_arg_id(r, e, KEY_INPUT_STRIDES),
		tlreport_arg_id(r, e, KEY_CONCRETE_INPUTS),
		tlreport_recomputed(r, e),
	};

	memcpy(words, key, sizeof(key));
}

/* ---- the report ---- */

static void say(struct tlreport *r)
{
	answer_headline(r->a, "%s of %s in the form of TraceLens.",
			say_many(r->arena, r->a->ntables, "sheet", "sheets"),
			say_path(r->arena, r->tr->source.path));
	doubt_reading(r->a, r->tr);
}

struct lp_answer *tlreport(struct trace *tr, struct lp_report_options o, struct lp_error *err)
{
	struct tlreport r = { .tr = tr, .o = o };

	if (!tr->ngpu) {
		error_set(err, "%s: there is no GPU work to report on", tr->source.path);
		return NULL;
	}
	if (o.arch && !arch_choose(tr, o.arch, &r.scratch, &r.arch, err)) {
		arena_free(&r.scratch);
		return NULL;
	}
	r.l = trace_links(tr, LINK_TRACELENS, TREE_NO_PYTHON);
	r.t = r.l->tree;
	r.a = answer_new();
	r.arena = answer_arena(r.a);
	r.model = ops_model_new(&r.scratch, tr, r.l);
	r.pairs = tlpair_find(&r.scratch, tr);
	r.model.pairs = &r.pairs.p;
	r.tuples = NEW(&r.scratch, tr->strings.n, const char *);
	r.lists = NEW(&r.scratch, tr->strings.n, const char *);
	r.gpu_only = !tr->nkind[KIND_CPU_OP];
	r.costs = tlcost_open(&r);
	if (o.modules || o.call_stack)
		r.stacks = tlstack_open(&r);
	if (o.recompute)
		r.recomputed = find_recomputed(&r);
	rank_work(&r);
	tltimeline(&r);
	tlowner_find(&r);
	if (!r.gpu_only) {
		tlops(&r);
		tlunified(&r);
		tlsheets(&r);
	}
	tlkernel_summary(&r);
	tlshort(&r);
	if (!o.no_collectives)
		tlcoll(&r);
	say(&r);
	tlcost_close(r.costs);
	if (r.stacks)
		tlstack_close(r.stacks);
	arena_free(&r.scratch);
	return r.a;
}
