#include "analysis/tree_text.h"

#include "analysis/doubt.h"
#include "base/decimal.h"
#include "base/say.h"
#include "base/alloc.h"

#include <stdlib.h>

#define ROOTS_LOOKED_AT 16
#define BELOW_PARTS \
	10 /* the headline follows the heaviest callee while it has all but one of these */

static const struct profile_thread *thread_of(const struct lp_tree *t)
{
	return &t->of->p->threads[t->view.filter.like];
}

const char *tree_text_unit_name(const struct lp_tree *t)
{
	return thread_of(t)->unit_name;
}

enum lp_unit tree_text_unit(const struct lp_tree *t)
{
	if (thread_of(t)->places)
		return LP_PLAIN;
	switch (thread_of(t)->unit) {
	case PROFILE_NS:
		return LP_NSEC;
	case PROFILE_BYTES:
		return LP_BYTES;
	default:
		return LP_COUNT;
	}
}

const char *tree_text_title(const struct lp_tree *t)
{
	if (tree_text_unit(t) == LP_BYTES)
		return "size";
	if (tree_text_unit(t) != LP_NSEC)
		return tree_text_unit_name(t);
	return !t->of->tr ? "time" : t->of->gpu ? "GPU" : "CPU";
}

const char *tree_text_weight(const struct lp_tree *t, struct arena *a, int64_t w)
{
	char number[DECIMAL_MAX];

	switch (tree_text_unit(t)) {
	case LP_NSEC:
		return say_time(a, w);
	case LP_BYTES:
		return say_bytes(a, w);
	default:
		decimal_fixed(number, w, thread_of(t)->places, false);
		return arena_print(a, "%s %s", number, tree_text_unit_name(t));
	}
}

/* "CPU time", "1,000 samples". */
static const char *whole(const struct lp_tree *t, struct arena *a)
{
	if (tree_text_unit(t) == LP_NSEC && t->of->tr)
		return t->of->gpu ? "GPU time" : "CPU time";
	return tree_text_weight(t, a, t->view.sums.magnitude);
}

static const char *name_of(const struct lp_tree *t, uint32_t node)
{
	return profile_name(t->of->p, tree_view_func(&t->view, node)).p;
}

static int64_t size_of(const struct lp_tree *t, uint32_t node)
{
	int64_t w = tree_view_total(&t->view, node, MEASURE_WEIGHT);

	return w < 0 ? -w : w;
}

/* Down the heaviest callees, as long as one has nearly all. */
static uint32_t deepest_of_all(struct lp_tree *t, uint32_t root)
{
	int64_t all = t->view.sums.magnitude, least = all - all / BELOW_PARTS;
	struct node_list l = { 0 };
	uint32_t node = root;

	for (;;) {
		tree_view_children(&t->view, node, &l);
		if (!l.n || size_of(t, l.at[0]) < least || !least)
			break;
		node = l.at[0];
	}
	node_list_free(&l);
	return node;
}

/* The heaviest root; if that only waits for the GPU, `*worker` is the heaviest that does not. */
static uint32_t heaviest_root(struct lp_tree *t, uint32_t *worker)
{
	struct node_list l = { 0 };
	uint32_t top;

	tree_view_roots(&t->view, &l, ROOTS_LOOKED_AT);
	*worker = NONE;
	top = l.n ? l.at[0] : NONE;
	for (uint32_t i = 0; i < MIN_OF(l.n, ROOTS_LOOKED_AT) && *worker == NONE; i++)
		if (!(t->of->p->functions.at[tree_view_func(&t->view, l.at[i])].flags &
		      FUNCTION_WAIT))
			*worker = l.at[i];
	node_list_free(&l);
	return top;
}

static void headline_inverted(struct lp_answer *a, struct lp_tree *t, uint32_t top, uint32_t worker)
{
	struct arena *arena = answer_arena(a);
	int64_t all = t->view.sums.magnitude;
	const char *share = say_percent(arena, size_of(t, top), all);
	bool cpu = t->of->tr && !t->of->gpu && tree_text_unit(t) == LP_NSEC;

	if (t->root)
		answer_headline(
			a, "%s and what it calls take %s.", name_of(t, top),
			tree_text_weight(t, arena, tree_view_total(&t->view, top, MEASURE_WEIGHT)));
	else if (cpu && worker != top && worker != NONE)
		answer_headline(a,
				"The CPU waits for the GPU in %s for %s of %s; %s holds it for %s.",
				name_of(t, top), share, tree_text_weight(t, arena, all),
				name_of(t, worker), say_percent(arena, size_of(t, worker), all));
	else if (cpu)
		answer_headline(a, "One function holds the CPU for %s of %s: %s.", share,
				tree_text_weight(t, arena, all), name_of(t, top));
	else if (t->of->gpu)
		answer_headline(a, "One function launches %s of the GPU time: %s.", share,
				name_of(t, top));
	else
		answer_headline(a, "One function has %s of the %s itself: %s.", share,
				whole(t, arena), name_of(t, top));
}

/* The function whose own weight changed most; NONE if none did. */
static func_id most_changed(struct lp_tree *t, int64_t *change)
{
	const int64_t *own = t->view.sums.self[MEASURE_WEIGHT];
	int64_t *self = alloc_checked(calloc(MAX_OF(t->of->p->functions.n, 1), sizeof(*self)));
	func_id most = NONE;
	for (stack_id s = 0; s < t->view.ct.st.n; s++)
		self[t->view.ct.st.func[s]] += own[s];
	for (func_id f = 0; f < t->of->p->functions.n; f++)
		if (self[f] && (most == NONE || llabs(self[f]) > llabs(self[most])))
			most = f;
	*change = most == NONE ? 0 : self[most];
	free(self);
	return most;
}

static void headline_diff(struct lp_answer *a, struct lp_tree *t)
{
	struct arena *arena = answer_arena(a);
	int64_t sum = t->view.sums.sum, change;
	func_id most = most_changed(t, &change);
	const char *all = sum ? arena_print(arena, "%s %s than before",
					    tree_text_weight(t, arena, llabs(sum)),
					    sum > 0 ? "more" : "less")
			      : "As much as before";

	if (most == NONE)
		answer_headline(a, "%s: no function has changed.", all);
	else
		answer_headline(a, "%s; %s has changed most, by %s%s of its own.", all,
				profile_name(t->of->p, most).p, change > 0 ? "+" : "-",
				tree_text_weight(t, arena, llabs(change)));
}

void tree_text_headline(struct lp_answer *a, struct lp_tree *t)
{
	struct arena *arena = answer_arena(a);
	uint32_t worker, top = heaviest_root(t, &worker);

	if (top == NONE) {
		answer_headline(a, "There are no samples%s.",
				t->view.keep || t->window ? " that the filter lets through" : "");
		return;
	}
	if (t->of->diff) {
		headline_diff(a, t);
		return;
	}
	if (t->view.inverted) {
		headline_inverted(a, t, top, worker);
		return;
	}
	top = deepest_of_all(t, top);
	answer_headline(a, "%s of the %s is below %s.",
			say_percent(arena, size_of(t, top), t->view.sums.magnitude),
			whole(t, arena), name_of(t, top));
}

/* ---- Doubts ---- */

static const char *thread_name(const struct profile_thread *x, struct arena *a)
{
	const char *tid = *x->tid ? x->tid : "?";

	if (*x->name)
		return strstr(x->name, tid) ? x->name : arena_print(a, "%s %s", x->name, tid);
	return *x->process ? arena_print(a, "%s %s", x->process, tid) : tid;
}

static void doubt_threads(struct lp_answer *a, const struct lp_tree *t)
{
	const struct profile *p = t->of->p;
	const struct tree_filter *f = &t->view.filter;
	uint32_t left_out = 0;

	if (f->thread != NONE && p->nthreads > 1) {
		answer_doubt(a, "thread %u of %u (%s%s); --thread N or all for the others",
			     f->thread, p->nthreads,
			     thread_name(&p->threads[f->thread], answer_arena(a)),
			     f->thread != calltree_busiest(p) ? ""
			     : p->threads[f->thread].leads    ? ", the busiest that runs operators"
							      : ", the busiest");
		return;
	}
	for (uint32_t i = 0; i < p->nthreads; i++)
		left_out += p->threads[i].n && !calltree_takes(&t->view.ct, f, i);
	if (left_out)
		answer_doubt(a, "%u of %u threads are left out: they do not count %s", left_out,
			     p->nthreads, tree_text_unit_name(t));
}

static void doubt_odd(struct lp_answer *a, const struct profile *p)
{
	static const struct {
		const char *one, *many, *place;
	} texts[PROFILE_ODDS] = {
		[PROFILE_ODD_INDEX] = { "index points", "indices point",
					"to nothing; the first in row" },
		[PROFILE_ODD_LINE] = { "line is no", "lines are no",
				       "stack with a count; the first is line" },
		[PROFILE_ODD_WEIGHT] = { "column is", "columns are",
					 "not as long as the samples; the first at byte" },
		[PROFILE_ODD_NESTING] = { "event is", "events are", "not nested; the first at" },
		[PROFILE_ODD_CUT] = { "piece is", "pieces are",
				      "missing: the file ends early, at byte" },
	};

	for (int i = 0; i < PROFILE_ODDS; i++)
		if (p->odd[i])
			answer_doubt(a, "%s %s %llu",
				     say_many(answer_arena(a), (int64_t)p->odd[i], texts[i].one,
					      texts[i].many),
				     texts[i].place, (unsigned long long)p->odd_first[i]);
}

/* Before symbols are known every address is a function of its own. */
static void doubt_addresses(struct lp_answer *a, const struct profile *p)
{
	uint32_t n = 0;

	for (func_id f = 0; f < p->functions.n; f++)
		n += str_starts(profile_name(p, f), STR("0x"));
	if (n > 1 && 2 * (uint64_t)n > p->functions.n)
		answer_doubt(
			a,
			"%u of %u functions are addresses without names: each is a row of its own",
			n, p->functions.n);
}

void tree_text_doubts(struct lp_answer *a, const struct lp_tree *t)
{
	const struct profile *p = t->of->p;

	if (t->of->tr)
		doubt_reading(a, t->of->tr);
	doubt_odd(a, p);
	doubt_threads(a, t);
	if (t->of->tr && t->of->gpu)
		doubt_unlinked(a, t->of->tr, trace_launches(t->of->tr, LINK_BEST),
			       "they are a root of their own");
	if (p->nevents > 1)
		answer_doubt(a,
			     "samples of %u events are counted together; --weight EVENT takes one",
			     p->nevents);
	doubt_addresses(a, p);
}

/* ---- What adds up, and what next ---- */

void tree_text_footer(struct lp_table *table, struct lp_answer *a, const struct lp_tree *t,
		      const struct tree_rows *rows)
{
	struct arena *arena = answer_arena(a);
	int64_t sum = t->view.sums.sum, size = t->view.sums.magnitude;

	const char *what = tree_text_unit(t) != LP_NSEC || !t->of->tr ? ""
			   : t->of->gpu                               ? " of GPU time"
			   : t->all ? " of CPU time of all threads"
				    : " of CPU time of the thread";
	const char *more = "";

	if (rows->roots_left && !t->root)
		more = arena_print(arena, "; %s: %s (%s)",
				   say_many(arena, rows->roots_left, "more root", "more roots"),
				   tree_text_weight(t, arena, rows->left_total),
				   say_percent(arena, rows->left_total, size));
	if (sum != size)
		more = arena_print(arena, " in all, %s after signs%s",
				   tree_text_weight(t, arena, sum), more);
	table_footer(table, "%s%s%s", tree_text_weight(t, arena, size), what, more);
	if (rows->passed)
		table_footer(table, "%s left out that only pass on (--depth N shows them)",
			     say_many(arena, rows->passed, "frame is", "frames are"));
}

void tree_text_next(struct lp_answer *a, struct lp_tree *t)
{
	const char *path = t->of->p->path;

	if (t->of->diff)
		return;
	if (t->view.inverted) {
		answer_next(a, "the same from the roots down", "longpole tree %s", path);
		answer_next(a, "every function with its total", "longpole tree --functions %s",
			    path);
	} else {
		answer_next(a, "which functions hold it, and who calls them",
			    "longpole tree --invert %s", path);
	}
	if (t->of->tr && t->of->tr->ngpu && !t->of->gpu)
		answer_next(a, "who causes the GPU time", "longpole tree --weight gpu %s", path);
}
