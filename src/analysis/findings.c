/*
 * The rules, their order, and the table of what they found: longest first; of equal times the rule
 * that stands first here, and within a rule the order in which it found them.
 */
#include "analysis/findings.h"

#include "algo/sort.h"
#include "base/say.h"
#include "base/shortname.h"
#include "base/table.h"

#include <math.h>
#include <string.h>

/* `least`: percent of what the rule's share is of; what is below is not worth a sentence. */
static const struct {
	const char *name;
	finding_rule *find;
	double least;
} rules[] = {
	{ "no_time", find_no_time, 0 },
	{ "no_gpu", find_no_gpu, 0 },
	{ "no_host", find_no_host, 0 },
	{ "one_event", find_one_event, 0 },
	{ "bound", find_bound, 50 },                        /* of the window */
	{ "class", find_classes, 10 },                      /* of the window */
	{ "holder", find_holder, 5 },                       /* of the window */
	{ "what_if_group", find_what_if_group, 5 },         /* of the window */
	{ "what_if", find_what_if, 2 },                     /* of the window */
	{ "idle", find_idle, 5 },                           /* of the GPU's span */
	{ "exposed_communication", find_communication, 2 }, /* of the GPU's span */
	{ "exposed_copies", find_copies, 2 },               /* of the GPU's span */
	{ "pageable", find_pageable, 1 },                   /* of GPU time */
	{ "op", find_op, 10 },                              /* of GPU time */
	{ "roofline", find_roofline, 5 },                   /* of GPU time */
	{ "short_kernels", find_short_kernels, 50 },        /* of all kernels */
	{ "unlinked", find_unlinked, 1 },                   /* of all GPU events */
	{ "steps", find_steps, 5 },                         /* of the fastest step */
};

void findings_add(struct facts *f, struct finding new)
{
	if (!(new.share >= f->least)) /* nor if it is NaN */
		return;
	if (f->n == f->cap) {
		struct finding *more = NEW(f->arena, 2 * (size_t)f->cap + 8, struct finding);

		if (f->n)
			memcpy(more, f->at, f->n * sizeof(*more));
		f->at = more;
		f->cap = 2 * f->cap + 8;
	}
	new.rule = f->rule;
	f->at[f->n++] = new;
}

const char *findings_name(const struct facts *f, const char *name)
{
	return shortname(f->arena, name ? name : "-", 60, UTF8_TERMINAL);
}

/* "ops --by name": the file goes last. */
const char *findings_command(const struct facts *f, const char *command)
{
	const char *path = f->tr->source.path;

	if (!command || !strcmp(path, "-"))
		return NULL;
	return arena_print(f->arena, "longpole %s %s", command, say_path(f->arena, path));
}

/* The window of the critical path, or that of the file where there is no path. */
static nsec window_of(const struct answers *answers)
{
	const struct lp_table *info = cells_table(answers, "info");
	int64_t window = cells_int(cells_table(answers, "window"), "window_ns", 0);

	if (window == LP_NULL)
		window = cells_int(info, "number", cells_find(info, "what", "window_ns"));
	return window == LP_NULL ? 0 : window;
}

static bool longer(const void *ctx, uint32_t a, uint32_t b)
{
	const struct finding *f = ctx;

	return f[a].time > f[b].time;
}

static uint32_t *rank(const struct facts *f)
{
	uint32_t *order = NEW(f->arena, (size_t)f->n + 1, uint32_t);

	for (uint32_t i = 0; i < f->n; i++)
		order[i] = i;
	sort_ids(order, f->n, NEW(f->arena, (size_t)f->n + 1, uint32_t), longer, f->at);
	return order;
}

/* Times of several streams or GPUs can add up to more than the window: of what would they be? */
static double of_window(const struct facts *f, nsec time)
{
	return f->window && time <= f->window ? 100.0 * (double)time / (double)f->window : NAN;
}

static void add_table(struct lp_answer *a, const struct facts *f)
{
	uint32_t n = f->n, *order = rank(f);
	int64_t *time = NEW(f->arena, (size_t)n + 1, int64_t),
		*saving = NEW(f->arena, (size_t)n + 1, int64_t);
	double *percent = NEW(f->arena, (size_t)n + 1, double);
	const char **text[4];
	struct lp_table *t = answer_table(a, "findings", n);

	for (size_t c = 0; c < ARRAY_SIZE(text); c++)
		text[c] = NEW(f->arena, (size_t)n + 1, const char *);
	for (uint32_t i = 0; i < n; i++) {
		const struct finding *x = &f->at[order[i]];

		time[i] = x->time;
		percent[i] = of_window(f, x->time);
		saving[i] = x->saving;
		text[0][i] = x->sentence;
		text[1][i] = x->view;
		text[2][i] = findings_command(f, x->command);
		text[3][i] = x->rule;
	}
	t->whole = true;
	table_i64(t, "time_ns", "", LP_NSEC, 0, time, "what it is about; of a saving, the gain");
	table_f64(t, "percent", "%", LP_PERCENT, 0, percent,
		  "of the window; missing where times of several streams are more than it");
	table_bool(t, "saving", "saving", LP_DETAIL, saving,
		   "a predicted gain, not a time that was spent");
	table_str(t, "sentence", "finding", 0, text[0], "what was found");
	table_str(t, "view", "view", LP_DETAIL, text[1], "where the page shows more of it");
	table_str(t, "command", "command", LP_DETAIL, text[2], "what prints more of it");
	table_str(t, "rule", "rule", LP_DETAIL, text[3], "the rule that found it");
}

struct lp_answer *lp_findings(struct lp_trace *tr, const struct lp_answer *const *answers,
			      unsigned n, struct lp_error *err)
{
	struct lp_answer *a = answer_new();
	struct facts f = { .tr = (struct trace *)tr, .answers = { answers, n } };

	(void)err;
	f.arena = answer_arena(a);
	f.window = window_of(&f.answers);
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		f.rule = rules[i].name;
		f.least = rules[i].least;
		rules[i].find(&f);
	}
	add_table(a, &f);
	trust_table(a, &f);
	missing_table(a, &f);
	return a;
}
