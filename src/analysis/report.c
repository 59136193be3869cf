/* The answers of all questions as one: their tables, their doubts, the sentence of the first. */
#include "analysis/report_page.h"
#include "analysis/tlreport/tlreport.h"
#include "base/say.h"

#include <string.h>

typedef struct lp_answer *question(struct lp_trace *tr, struct lp_report_options o,
				   struct lp_error *err);

static struct lp_answer *ask_info(struct lp_trace *tr, struct lp_report_options o,
				  struct lp_error *err)
{
	return lp_info(tr, err);
}

static struct lp_answer *ask_timeline(struct lp_trace *tr, struct lp_report_options o,
				      struct lp_error *err)
{
	return lp_timeline(tr, (struct lp_timeline_options){ 0 }, err);
}

static struct lp_answer *ask_ops(struct lp_trace *tr, struct lp_report_options o,
				 struct lp_error *err)
{
	return lp_ops(tr, (struct lp_ops_options){ .arch = o.arch, .models = o.models }, err);
}

static struct lp_answer *ask_kernels(struct lp_trace *tr, struct lp_report_options o,
				     struct lp_error *err)
{
	return lp_kernels(tr, (struct lp_kernels_options){ 0 }, err);
}

static struct lp_answer *ask_idle(struct lp_trace *tr, struct lp_report_options o,
				  struct lp_error *err)
{
	return lp_idle(tr, err);
}

static struct lp_answer *ask_memory(struct lp_trace *tr, struct lp_report_options o,
				    struct lp_error *err)
{
	return lp_memory(tr, err);
}

static struct lp_answer *ask_path(struct lp_trace *tr, struct lp_report_options o,
				  struct lp_error *err)
{
	return lp_critical_path(tr, (struct lp_critical_path_options){ 0 }, err);
}

/* Nothing, unless for a page. */
static struct lp_answer *ask_page(struct lp_trace *tr, struct lp_report_options o,
				  struct lp_error *err)
{
	return o.page ? report_page((struct trace *)tr, err) : answer_new();
}

static question *const questions[] = {
	ask_info, ask_timeline, ask_ops, ask_kernels, ask_idle, ask_memory, ask_path, ask_page,
};

/* Tables of one name would be one file: the later ones are left out. */
static void leave_out_seconds(const struct lp_answer *a, struct lp_answer *more)
{
	struct lp_table **tables = NEW(answer_arena(more), more->ntables, struct lp_table *);
	uint32_t n = 0;

	for (uint32_t i = 0; i < more->ntables; i++)
		if (!lp_answer_table(a, more->tables[i]->name))
			tables[n++] = more->tables[i];
	more->tables = tables;
	more->ntables = n;
}

static struct lp_answer *whole(struct lp_trace *tr, struct lp_report_options o,
			       struct lp_error *err)
{
	struct lp_answer *a = answer_new();

	for (size_t i = 0; i < ARRAY_SIZE(questions); i++) {
		if (questions[i] == ask_memory && !((struct trace *)tr)->nkind[KIND_MEMORY])
			continue;
		struct lp_answer *more = questions[i](tr, o, err);

		if (!more) {
			lp_answer_free(a);
			return NULL;
		}
		leave_out_seconds(a, more);
		if (questions[i] == ask_timeline && more->headline)
			answer_headline(a, "%s", more->headline);
		answer_adopt(a, more);
	}
	return a;
}

struct lp_answer *lp_report(struct lp_trace *tr, struct lp_report_options o, struct lp_error *err)
{
	if (o.style == LP_STYLE_TRACELENS && o.models) {
		error_set(err, "formulas of a file are for reports of longpole's style");
		return NULL;
	}
	if (o.style == LP_STYLE_TRACELENS)
		return tlreport((struct trace *)tr, o, err);
	return whole(tr, o, err);
}
