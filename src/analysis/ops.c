/* The stages of ops.h in order; then the sentence, the doubts and the identity. */
#include "analysis/ops.h"

#include "analysis/doubt.h"
#include "analysis/ops_roofline.h"
#include "analysis/ops_table.h"
#include "analysis/ops_text.h"
#include "base/check.h"
#include "base/say.h"
#include "base/shortname.h"

struct hooked {
	struct ops_hooks hooks;
	const struct trace *tr;
	const struct tree *t;
};

static bool hooked_model(void *ctx, node_id op)
{
	struct hooked *h = ctx;

	return h->hooks.has_model(h->hooks.ctx, trace_name(h->tr, h->t->event[op]));
}

static bool no_backward(void *ctx, node_id op)
{
	return false;
}

static nsec sum_time(const struct ops_stat *stat, uint32_t n)
{
	nsec sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += stat[i].time;
	return sum;
}

static const char *label_of(const struct ops_view *v, struct arena *a, uint32_t g)
{
	const struct ops_key *k = &v->groups->key[g];

	if (v->by == LP_BY_CATEGORY)
		return op_category_name(k->category);
	if (v->by == LP_BY_MODULE && k->module == NONE)
		return "Work outside of modules";
	if (v->by == LP_BY_MODULE)
		return arena_print(a, "%.*s",
				   STR_ARGS(strings_get(&v->groups->modules, k->module)));
	return ops_text_name(a, v->tr, k->name, k->kernel);
}

static void say_headline(struct lp_answer *a, const struct ops_view *v)
{
	struct arena *arena = answer_arena(a);
	const char *where = v->rows->window.in ? "window" : "trace";
	uint32_t n = v->groups->n, few = MIN_OF(n, 3);
	nsec sum = 0;

	if (!n) {
		answer_headline(a, "No GPU work%s in this %s.",
				v->rows->ncomm ? " but communication" : "", where);
		return;
	}
	for (uint32_t i = 0; i < few; i++)
		sum += v->stat[v->order[i]].time;
	const char *first = shortname(arena, label_of(v, arena, v->order[0]), 60, UTF8_TERMINAL);
	const char *share = say_percent(arena, v->stat[v->order[0]].time, v->total);
	const char *total = say_time(arena, v->total);
	if (n <= few)
		answer_headline(a, "%s owns %s of %s of GPU time.", first, share, total);
	else
		answer_headline(a, "%s owns %s of %s of GPU time; the first 3 of %s rows own %s.",
				first, share, total, say_count(arena, n),
				say_percent(arena, sum, v->total));
}

/* "5,165 = 4,330 kernels + 85 copies + 750 sets" */
static const char *say_kinds(struct arena *a, const uint32_t *n)
{
	static const struct {
		enum kind kind;
		const char *one, *more;
	} kinds[] = {
		{ KIND_KERNEL, "kernel", "kernels" },
		{ KIND_COLLECTIVE, "collective", "collectives" },
		{ KIND_COPY, "copy", "copies" },
		{ KIND_SET, "set", "sets" },
	};
	const char *text = "";

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (n[kinds[i].kind])
			text = arena_print(
				a, "%s%s%s", text, *text ? " + " : "",
				say_many(a, n[kinds[i].kind], kinds[i].one, kinds[i].more));
	return text;
}

static void say_identity(struct lp_answer *a, struct lp_table *t, const struct ops_view *v)
{
	uint32_t n[KINDS] = { 0 }, owned = v->rows->at[v->rows->n].first;
	struct arena *arena = answer_arena(a);

	for (uint32_t i = 0; i < owned; i++)
		n[v->tr->ev.kind[v->l->gpu[v->rows->work[i]]]]++;
	if (owned)
		table_footer(t, "every GPU event%s in exactly one row: %s = %s%s",
			     v->rows->window.in ? " of the window" : "",
			     say_count(arena, owned + v->rows->ncomm), say_kinds(arena, n),
			     v->rows->ncomm
				     ? arena_print(arena, " + %s left out",
						   say_many(arena, v->rows->ncomm,
							    "of communication", "of communication"))
				     : "");
}

static void say_next(struct lp_answer *a, const struct trace *tr, unsigned by)
{
	const char *path = say_path(answer_arena(a), tr->source.path);

	if (by != LP_BY_CATEGORY)
		answer_next(a, "the same by category", "longpole ops %s --by category", path);
	answer_next(a, "which kernels they are", "longpole kernels %s", path);
	answer_next(a, "when the GPU is busy, and with what", "longpole timeline %s", path);
}

static void check_sums(const struct ops_view *v)
{
	uint32_t rows = 0, kernels = 0;

	for (uint32_t i = 0; i < v->groups->n; i++) {
		rows += v->stat[i].count;
		kernels += v->stat[i].kernels;
	}
	CHECK(rows == v->rows->n);
	CHECK(kernels == v->rows->at[rows].first);
}

struct lp_answer *ops_answer(struct trace *tr, struct lp_ops_options o, struct ops_hooks hooks,
			     struct lp_error *err)
{
	struct arena scratch = { 0 };
	struct lp_answer *a = answer_new();
	const struct links *l = trace_links(
		tr, o.link == LP_LINK_TRACELENS ? LINK_TRACELENS : LINK_BEST, hooks.tree);
	struct ops_model model = ops_model_new(&scratch, tr, l);
	struct hooked hooked = { hooks, tr, l->tree };
	struct gpu_window window;
	const struct arch *arch;
	struct usermodels *user = NULL;

	if (!gpu_window(&scratch, tr, l, o.window, &window, err) ||
	    !arch_choose(tr, o.arch, &scratch, &arch, err) ||
	    (o.models && !(user = usermodels_read(o.models, answer_arena(a), err)))) {
		lp_answer_free(a);
		arena_free(&scratch);
		return NULL;
	}
	ops_model_use(&model, &scratch, user);
	struct ops_rules rules = { window, o.no_comm, ops_model_has, ops_model_has_backward,
				   &model };
	if (hooks.has_model)
		rules = (struct ops_rules){ window, o.no_comm, hooked_model, no_backward, &hooked };
	struct ops_view v = { .tr = tr, .l = l, .model = &model };
	v.by = o.rows ? OPS_BY_ROW : o.by;
	struct ops_rows rows = ops_own(&scratch, tr, l, rules);
	struct ops_groups groups = ops_group(&scratch, &model, &rows, v.by);
	v.rows = &rows;
	v.groups = &groups;
	v.stat = ops_stats(&scratch, tr, l, &rows, &groups);
	v.order = ops_ranking(&scratch, tr, l, &rows, &groups, v.stat);
	if (v.by == LP_BY_ARGS || v.by == OPS_BY_ROW)
		v.cost = ops_costs(&scratch, &model, &rows, &groups, arch);
	v.total = sum_time(v.stat, groups.n);
	check_sums(&v);

	struct lp_table *t = ops_table(a, &v);
	say_headline(a, &v);
	doubt_reading(a, tr);
	doubt_window(a, tr, window.from, window.to);
	doubt_unlinked(a, tr, l,
		       window.launched ? "not in the window" : "rows of category unlinked");
	doubt_times(a, tr, l);
	if (arch && arch->ignored)
		answer_doubt(a, "%s: keys that mean nothing here: %s", arch->path, arch->ignored);
	say_identity(a, t, &v);
	say_next(a, tr, v.by);
	if (v.cost) {
		if (arch)
			ops_roofline(a, &v, arch);
		ops_mfu(a, &v, arch);
		ops_no_model(a, &v);
	}
	ops_groups_free(&groups);
	usermodels_free(user);
	arena_free(&scratch);
	return a;
}

struct lp_answer *lp_ops(struct lp_trace *tr, struct lp_ops_options o, struct lp_error *err)
{
	return ops_answer((struct trace *)tr, o, (struct ops_hooks){ 0 }, err);
}
