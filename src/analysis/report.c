/* The answers of all questions as one: what they come to, their tables, their doubts. */
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

/* Nothing, unless allocations were recorded: `missing` says so then. */
static struct lp_answer *ask_memory(struct lp_trace *tr, struct lp_report_options o,
				    struct lp_error *err)
{
	return ((struct trace *)tr)->nkind[KIND_MEMORY] ? lp_memory(tr, err) : answer_new();
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

#define QUESTIONS ARRAY_SIZE(questions)

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

/* The findings stand first: they are what the rest is read for. */
static struct lp_answer *whole(struct lp_trace *tr, struct lp_report_options o,
			       struct lp_error *err)
{
	struct lp_answer *answers[QUESTIONS];

	for (size_t i = 0; i < QUESTIONS; i++) {
		answers[i] = questions[i](tr, o, err);
		if (answers[i])
			continue;
		while (i > 0)
			lp_answer_free(answers[--i]);
		return NULL;
	}
	struct lp_answer *a = lp_findings(tr, (const struct lp_answer *const *)answers, QUESTIONS,
					  err);
	for (size_t i = 0; i < QUESTIONS; i++) {
		leave_out_seconds(a, answers[i]);
		if (questions[i] == ask_timeline && answers[i]->headline)
			answer_headline(a, "%s", answers[i]->headline);
		answer_adopt(a, answers[i]);
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
