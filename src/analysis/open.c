#include "trace/model.h"
#include "trace/read.h"

/* The worst oddity of a trace that is to be clean; COUNTERS if it is. */
static enum counter first_oddity(const struct counters *c)
{
	enum counter first = COUNTERS;

	for (enum counter i = 0; i < COUNTERS; i++) {
		if (!c->n[i] || counter_texts[i].severity == SEVERITY_NOTE)
			continue;
		if (first == COUNTERS || c->first_byte[i] < c->first_byte[first])
			first = i;
	}
	return first;
}

struct lp_trace *lp_open(const char *path, struct lp_open_options o, struct lp_error *err)
{
	struct read_options r = {
		.threads = o.threads, .strict = o.strict, .progress = o.progress, .ctx = o.ctx
	};
	struct trace *tr = trace_read(path, r, err);

	if (!tr)
		return NULL;
	model_build(tr);
	enum counter odd = o.strict ? first_oddity(&tr->counters) : COUNTERS;
	if (odd != COUNTERS) {
		trace_oddity_error(tr, odd, err);
		trace_free(tr);
		return NULL;
	}
	return (struct lp_trace *)tr;
}

void lp_close(struct lp_trace *tr)
{
	trace_free((struct trace *)tr);
}

int64_t lp_trace_base_ns(const struct lp_trace *tr)
{
	return ((const struct trace *)tr)->base;
}
