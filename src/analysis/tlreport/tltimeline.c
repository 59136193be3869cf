#include "analysis/gpu_time.h"
#include "analysis/tlreport/tltable.h"

struct part {
	struct gpu_time time;
	bool recomputed;
};

static struct gpu_time linked_time(struct tlreport *r, bool recomputed)
{
	event_id *e = NEW(&r->scratch, r->l->n, event_id);
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->l->n; i++)
		if ((r->gpu_only || r->l->launch[i] != NONE) &&
		    tlreport_recomputed(r, r->l->gpu[i]) == recomputed)
			e[n++] = r->l->gpu[i];
	return gpu_time_of(r->tr, e, n, INT64_MIN, INT64_MAX);
}

enum { LINES = 8 };

static void add_part(const struct gpu_time *g, const char **type, double *ms, double *percent)
{
	const struct {
		const char *name;
		nsec time;
	} lines[LINES] = {
		{ "computation_time", g->computation },
		{ "exposed_comm_time", g->exposed_communication },
		{ "exposed_memcpy_time", g->exposed_copies },
		{ "busy_time", g->busy },
		{ "idle_time", g->idle },
		{ "total_time", g->total },
		{ "total_comm_time", g->communication },
		{ "total_memcpy_time", g->copies },
	};

	for (size_t i = 0; i < LINES; i++) {
		type[i] = lines[i].name;
		ms[i] = (double)lines[i].time / 1e6;
		percent[i] = 100 * (double)lines[i].time / (double)g->total;
	}
}

void tltimeline(struct tlreport *r)
{
	uint32_t parts = r->recomputed ? 2 : 1;
	struct tltable t = tltable_new(r, "gpu_timeline", parts * LINES, NULL);
	const char **type = tltable_text(&t, "type"), **again = NULL;
	double *ms = tltable_f64(&t, "time ms"), *percent = tltable_f64(&t, "percent");

	if (r->recomputed)
		again = tltable_text(&t, "is_recompute");
	for (uint32_t p = 0; p < parts; p++) {
		struct gpu_time g = linked_time(r, p > 0);

		add_part(&g, type + p * LINES, ms + p * LINES, percent + p * LINES);
		if (!p)
			r->total = (double)g.total / 1000;
		for (uint32_t i = 0; again && i < LINES; i++)
			again[p * LINES + i] = p ? "True" : "False";
	}
}
