#include "analysis/diff_path.h"

#include "analysis/critpath.h"

static bool walk(struct trace *tr, const char *window, nsec *class_ns)
{
	struct arena scratch = { 0 };
	struct critpath c = { .tr = tr };
	struct lp_error err;
	bool fine = critpath_walk_window(&c, window, &scratch, &err) && c.path.n;

	if (fine)
		memcpy(class_ns, c.path.class_ns, sizeof(c.path.class_ns));
	arena_free(&scratch);
	return fine;
}

struct diff_paths diff_paths_of(struct trace *before, struct trace *after, const char *window)
{
	struct diff_paths p = { 0 };

	p.known = walk(before, window, p.ns[0]) && walk(after, window, p.ns[1]);
	return p;
}

void diff_path(struct diff_report *r, const struct diff_paths *p)
{
	struct diff_figures f = { .ns = { NEW(r->arena, PATH_CLASSES, int64_t),
					  NEW(r->arena, PATH_CLASSES, int64_t) } };
	const char **all = NEW(r->arena, PATH_CLASSES, const char *);
	const char **name = NEW(r->arena, PATH_CLASSES, const char *);

	if (!p->known)
		return;
	for (int c = 0; c < PATH_CLASSES; c++) {
		if (!p->ns[0][c] && !p->ns[1][c])
			continue;
		f.ns[0][f.n] = p->ns[0][c];
		f.ns[1][f.n] = p->ns[1][c];
		all[f.n++] = path_class_texts[c].name;
	}
	uint32_t *order = diff_order(&f, &r->scratch);
	struct lp_table *t = answer_table(r->a, "diff_path", f.n);

	for (uint32_t i = 0; i < f.n; i++)
		name[i] = all[order[i]];
	t->total = "window";
	table_str(t, "class", "critical path", 0, name, "what the time on the path is");
	diff_columns(r, t, &f, order, "time on the critical path");
}
