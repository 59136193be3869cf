/*
 * From a profile and options to a tree: the transforms in their order, then the root; after
 * that only filters, which are sums.
 */
#include "analysis/tree_handle.h"
#include "analysis/tree_pattern.h"
#include "analysis/tree_transform.h"
#include "analysis/split_window.h"
#include "base/alloc.h"

#include <stdlib.h>

static bool transform(struct calltree *ct, struct lp_transform x, struct lp_error *err)
{
	uint8_t *match = pattern_functions(ct->p, x.functions, err);

	if (!match)
		return false;
	tree_transform(ct, x.kind, match);
	free(match);
	return true;
}

/* Top-down a root is what it calls; inverted, what is below it is charged to it. */
static bool take_root(struct calltree *ct, const char *root, bool invert, func_id *only,
		      struct lp_error *err)
{
	uint8_t *match;

	*only = NONE;
	if (!root)
		return true;
	if (!pattern_function(ct->p, root, only, err))
		return false;
	match = alloc_checked(calloc(ct->p->functions.n, 1));
	for (func_id f = 0; f < ct->p->functions.n; f++)
		match[f] = ct->p->functions.at[f].name == ct->p->functions.at[*only].name;
	tree_transform(ct, invert ? LP_COLLAPSE_SUBTREE : LP_FOCUS, match);
	free(match);
	return true;
}

static bool choose_thread(const struct profile *p, const char *text, struct tree_filter *f,
			  struct lp_error *err)
{
	int64_t n;

	if (!p->nthreads)
		return error_set(err, "%s: there are no stacks in it", p->path);
	f->like = f->thread = calltree_busiest(p);
	if (text ? !strcmp(text, "all") : p->together) {
		f->thread = NONE;
		return true;
	}
	if (!text)
		return true;
	if (!str_i64(str_of(text), &n))
		return error_set(err, "--thread takes a number from 0, or all, not '%.60s'", text);
	if (n < 0 || n >= p->nthreads)
		return error_set(err, "%s: there is no thread %lld; the last of %u is %u", p->path,
				 (long long)n, p->nthreads, p->nthreads - 1);
	f->like = f->thread = (uint32_t)n;
	return true;
}

void tree_ready(struct lp_tree *t)
{
	struct tree_filter filter = t->view.filter;

	if (!t->view.counted)
		return;
	profile_sort(t->of->p);
	tree_view_free(&t->view);
	tree_view_make(&t->view, calltree_of(t->of->p), true);
	t->view.filter = filter;
	tree_view_weigh(&t->view);
}

struct lp_tree *lp_tree_open(const struct lp_profile *of, struct lp_tree_options o,
			     struct lp_error *err)
{
	struct tree_filter filter = { 0 };
	func_id only = NONE;

	if (!o.invert || o.ntransforms || o.root || o.firefox_order)
		profile_sort(of->p);
	struct calltree ct = calltree_of(of->p);
	bool ok = choose_thread(of->p, o.thread, &filter, err);

	for (unsigned i = 0; i < o.ntransforms && ok; i++)
		ok = transform(&ct, o.transforms[i], err);
	if (!ok || !take_root(&ct, o.root, o.invert, &only, err)) {
		calltree_free(&ct);
		return NULL;
	}
	struct lp_tree *t = alloc_checked(calloc(1, sizeof(*t)));
	t->of = of;
	t->root = o.root ? arena_text(&t->arena, o.root, strlen(o.root)) : NULL;
	tree_view_make(&t->view, ct, o.invert);
	t->view.firefox_order = o.firefox_order;
	t->view.only = o.invert ? only : NONE;
	t->view.filter = filter;
	t->all = filter.thread == NONE;
	tree_view_weigh(&t->view);
	return t;
}

void lp_tree_close(struct lp_tree *t)
{
	if (!t)
		return;
	tree_runs_free(t);
	tree_view_free(&t->view);
	arena_free(&t->arena);
	free(t);
}

static bool window_of(const struct lp_tree *t, const char *text, struct window *w,
		      struct lp_error *err)
{
	if (t->of->tr)
		return split_window(t->of->tr, text, w, err);
	if (window_times(text, t->of->base, &w->start, &w->end))
		return true;
	return error_set(err, "%s: '%.60s' is no pair of times like 1.2s..1.3s", t->of->p->path,
			 text);
}

static bool set_window(const struct lp_tree *t, const char *text, struct tree_filter *f,
		       struct lp_error *err)
{
	struct window w = { .start = INT64_MIN, .end = INT64_MAX };

	f->windowed = text && *text;
	if (!f->windowed)
		return true;
	if (t->of->sums || (!t->of->tr && !t->of->p->samples.time))
		return error_set(err, "%s: its samples have no times, so there are no windows",
				 t->of->p->path);
	if (!window_of(t, text, &w, err))
		return false;
	f->by_origin = !w.by_times;
	f->from = w.start;
	f->to = w.end;
	return w.start < w.end ||
	       error_set(err, "%s: the window %.60s is empty", t->of->p->path, text);
}

bool lp_tree_filter(struct lp_tree *t, struct lp_tree_filter f, struct lp_error *err)
{
	struct tree_filter to = t->view.filter;
	uint8_t *keep = NULL;

	if (!f.window && !f.nsearch && f.no_waits == to.no_waits && !to.windowed && !to.keep)
		return true; /* as it is */
	tree_ready(t);
	if (!set_window(t, f.window, &to, err))
		return false;
	if (f.nsearch) {
		keep = pattern_search(&t->view.ct, f.search, f.nsearch, err);
		if (!keep)
			return false;
	}
	free(t->view.keep);
	t->view.keep = keep;
	to.keep = keep;
	to.no_waits = f.no_waits;
	t->view.filter = to;
	t->window = to.windowed ? arena_text(&t->arena, f.window, strlen(f.window)) : NULL;
	tree_view_weigh(&t->view);
	return true;
}
