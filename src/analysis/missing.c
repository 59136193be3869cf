/*
 * Table missing: what cannot be shown for this trace, why, and what would give it: an option of the
 * recorder or one of ours. Each line of the list is asked in turn.
 */
#include "analysis/findings.h"
#include "analysis/recorded.h"
#include "base/table.h"
#include "trace/step.h"

#include <math.h>

struct shown {
	const struct facts *f;
	struct recordings has;
	bool time, host, gpu;
};

typedef const char *why_missing(const struct shown *s); /* NULL: it is shown */

static const char NO_TIME[] = "nothing in the trace has a duration";
static const char NO_GPU[] = "no GPU work was recorded";
static const char NO_HOST[] = "no host work was recorded";

static const char *no_time(const struct shown *s)
{
	return s->time ? NULL : NO_TIME;
}

static const char *no_gpu(const struct shown *s)
{
	return s->gpu ? NULL : NO_GPU;
}

static const char *no_host(const struct shown *s)
{
	return s->host ? NULL : NO_HOST;
}

static const char *no_steps(const struct shown *s)
{
	return trace_steps(s->f->tr)->n ? NULL : "no annotation marks the steps";
}

static const char *no_why_idle(const struct shown *s)
{
	return s->gpu && !s->host ? "no host work was recorded: gaps without a cause" : NULL;
}

static const char *no_operators(const struct shown *s)
{
	return s->gpu && !s->f->tr->nkind[KIND_CPU_OP] ? "no operators were recorded" : NULL;
}

static bool any_row(const struct lp_table *t, const char *column)
{
	for (uint32_t i = 0; i < cells_rows(t); i++)
		if (!isnan(cells_real(t, column, i)))
			return true;
	return false;
}

static const char *no_model(const struct shown *s)
{
	const struct lp_table *ops = cells_table(&s->f->answers, "ops");

	if (!s->gpu || !s->has.has[RECORDED_SHAPES])
		return NULL; /* other lines say so */
	return any_row(ops, "flops") || any_row(ops, "data_bytes")
		       ? NULL
		       : "there is a model for none of the operators";
}

static const char *no_arch(const struct shown *s)
{
	const struct lp_table *ops = cells_table(&s->f->answers, "ops");
	bool models = any_row(ops, "flops") || any_row(ops, "data_bytes");

	return models && !any_row(ops, "roofline_percent")
		       ? "what this GPU can do at best is not known"
		       : NULL;
}

static const char *no_shapes(const struct shown *s)
{
	return s->has.has[RECORDED_SHAPES] || !s->f->tr->nkind[KIND_CPU_OP]
		       ? NULL
		       : "operators have no shapes";
}

static const char *no_shapes_for_models(const struct shown *s)
{
	return s->gpu ? no_shapes(s) : NULL;
}

static const char *no_python(const struct shown *s)
{
	return s->has.has[RECORDED_STACKS] || !s->host
		       ? NULL
		       : "no Python stacks: operators and annotations only";
}

static const char *no_sync(const struct shown *s)
{
	if (s->has.has[RECORDED_SYNC] || !s->gpu || !s->host)
		return NULL;
	return recorded_on_rocm(s->f->tr) ? "ROCm writes no rows for waits: they are inferred"
					  : "no sync rows: waits are inferred from the API calls";
}

static const char *no_memory(const struct shown *s)
{
	return s->has.has[RECORDED_MEMORY] || !s->host ? NULL : "no allocations were recorded";
}

/* The words of `view` are those of findings; the others are parts of several views. */
static const struct {
	const char *view;
	why_missing *why;
	const char *how; /* NULL: nothing would */
} lines[] = {
	{ "breakdown", no_time, "profile(...) around the work" },
	{ "timeline", no_time, "profile(...) around the work" },
	{ "path", no_time, "profile(...) around the work" },
	{ "whatif", no_time, "profile(...) around the work" },
	{ "steps", no_steps, "prof.step() in a schedule, or record_function" },
	{ "ops", no_gpu, "activities=[..., ProfilerActivity.CUDA]" },
	{ "kernels", no_gpu, "activities=[..., ProfilerActivity.CUDA]" },
	{ "idle", no_gpu, "activities=[..., ProfilerActivity.CUDA]" },
	{ "idle", no_why_idle, "activities=[ProfilerActivity.CPU, ...]" },
	{ "tree", no_host, "activities=[ProfilerActivity.CPU, ...]" },
	{ "roofline", no_gpu, "activities=[..., ProfilerActivity.CUDA]" },
	{ "roofline", no_operators, "activities=[ProfilerActivity.CPU, ...]" },
	{ "roofline", no_shapes_for_models, "profile(record_shapes=True)" },
	{ "roofline", no_model, NULL },
	{ "roofline", no_arch, "longpole report --arch NAME|FILE" },
	{ "shapes", no_shapes, "profile(record_shapes=True)" },
	{ "python", no_python, "profile(with_stack=True)" },
	{ "waits", no_sync, "enable_cuda_sync_events=True" },
	{ "memory", no_memory, "profile(profile_memory=True)" },
};

/* Any lane with events that is not a GPU's. */
static bool any_host(const struct facts *f)
{
	const struct lp_table *t = cells_table(&f->answers, "lanes");

	for (uint32_t i = 0; i < cells_rows(t); i++)
		if (cells_int(t, "gpu", i) == false)
			return true;
	return false;
}

void missing_table(struct lp_answer *a, const struct facts *f)
{
	struct arena *arena = answer_arena(a);
	struct shown s = { .f = f,
			   .has = recordings_of(f->tr),
			   .time = f->window > 0,
			   .host = any_host(f),
			   .gpu = f->tr->ngpu > 0 };
	const char **view = NEW(arena, ARRAY_SIZE(lines), const char *),
		   **reason = NEW(arena, ARRAY_SIZE(lines), const char *),
		   **how = NEW(arena, ARRAY_SIZE(lines), const char *);
	uint32_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		const char *why = lines[i].why(&s);

		if (!why)
			continue;
		view[n] = lines[i].view;
		reason[n] = why;
		how[n++] = lines[i].how;
	}
	struct lp_table *t = answer_table(a, "missing", n);
	t->whole = true;
	table_str(t, "view", "not shown", 0, view, "the view, or what is missing in several");
	table_str(t, "reason", "why", 0, reason, "why it is not shown");
	table_str(t, "how", "what would show it", 0, how,
		  "the recorder's option, or ours; none if nothing would");
}
