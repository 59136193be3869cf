#include "trace/model.h"
#include "trace/read.h"

struct lp_trace *lp_open(const char *path, struct lp_open_options o, struct lp_error *err)
{
	struct read_options r = { .threads = o.threads,
				  .strict = o.strict,
				  .again = o.again,
				  .progress = o.progress,
				  .ctx = o.ctx };
	struct trace *tr = trace_read(path, r, err);

	if (!tr)
		return NULL;
	model_build(tr);
	enum counter odd = o.strict ? counters_first(&tr->counters, SEVERITY_WARNING) : COUNTERS;
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
