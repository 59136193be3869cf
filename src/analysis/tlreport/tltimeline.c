/* gpu_timeline: what the GPUs of the trace, taken together, spend their time with. */
#include "algo/spans.h"
#include "analysis/gpu_time.h"
#include "analysis/tlreport/tltable.h"
#include "base/check.h"

struct part {
	struct gpu_time time;
	nsec micro; /* of the idle time: in gaps below the limit */
};

/* What is idle between work in gaps shorter than the limit. */
static nsec micro_idle(struct tlreport *r, const event_id *e, uint32_t n)
{
	struct span *at = NEW(&r->scratch, n, struct span);
	nsec micro = 0, idle = 0;
	uint32_t timed = 0;

	for (uint32_t i = 0; i < n; i++)
		if (trace_timed(r->tr, e[i]))
			at[timed++] = (struct span){ r->tr->ev.ts[e[i]], trace_end(r->tr, e[i]) };
	struct spans busy = spans_union(&r->scratch, at, timed);
	for (size_t i = 1; i < busy.n; i++) {
		nsec gap = busy.at[i].start - busy.at[i - 1].end;

		idle += gap;
		micro += gap < r->o.micro_idle_ns ? gap : 0;
	}
	CHECK(micro <= idle);
	return micro;
}

static struct part measure(struct tlreport *r, bool recomputed)
{
	event_id *e = NEW(&r->scratch, r->l->n, event_id);
	struct part p = { .micro = 0 };
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->l->n; i++)
		if ((r->gpu_only || r->o.unlinked || r->l->launch[i] != NONE) &&
		    tlreport_recomputed(r, r->l->gpu[i]) == recomputed)
			e[n++] = r->l->gpu[i];
	p.time = gpu_time_of(r->tr, e, n, INT64_MIN, INT64_MAX);
	if (r->o.micro_idle_ns > 0)
		p.micro = micro_idle(r, e, n);
	return p;
}

enum { LINES_MAX = 9 };

struct line {
	const char *name;
	nsec time;
};

static uint32_t list_lines(const struct tlreport *r, const struct part *p, struct line *out)
{
	const struct gpu_time *g = &p->time;
	uint32_t n = 0;

	out[n++] = (struct line){ "computation_time", g->computation };
	out[n++] = (struct line){ "exposed_comm_time", g->exposed_communication };
	out[n++] = (struct line){ "exposed_memcpy_time", g->exposed_copies };
	out[n++] = (struct line){ "busy_time", g->busy };
	if (r->o.micro_idle_ns > 0) {
		out[n++] = (struct line){ "micro_idle_time", p->micro };
		out[n++] = (struct line){ "macro_idle_time", g->idle - p->micro };
	} else {
		out[n++] = (struct line){ "idle_time", g->idle };
	}
	out[n++] = (struct line){ "total_time", g->total };
	out[n++] = (struct line){ "total_comm_time", g->communication };
	out[n++] = (struct line){ "total_memcpy_time", g->copies };
	return n;
}

void tltimeline(struct tlreport *r)
{
	uint32_t parts = r->recomputed ? 2 : 1, each = r->o.micro_idle_ns > 0 ? 9 : 8;
	struct tltable t = tltable_new(r, "gpu_timeline", parts * each, NULL);
	const char **type = tltable_text(&t, "type"), **again = NULL;
	double *ms = tltable_f64(&t, "time ms"), *percent = tltable_f64(&t, "percent");

	if (r->recomputed)
		again = tltable_text(&t, "is_recompute");
	for (uint32_t p = 0; p < parts; p++) {
		struct part part = measure(r, p > 0);
		struct line line[LINES_MAX];

		CHECK(list_lines(r, &part, line) == each);
		if (!p)
			r->total = (double)part.time.total / 1000;
		for (uint32_t i = 0; i < each; i++) {
			type[p * each + i] = line[i].name;
			ms[p * each + i] = (double)line[i].time / 1e6;
			percent[p * each + i] = 100 * (double)line[i].time /
						(double)part.time.total;
			if (again)
				again[p * each + i] = p ? "True" : "False";
		}
	}
}
