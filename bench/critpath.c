/*
 * critpath FILE: CPU seconds of reading it, of building the graph, walking the path, finding
 * slack and running 100 what-ifs; and the graph's edges and bytes.
 */
#include "analysis/critpath_input.h"
#include "analysis/critpath_walk.h"
#include "analysis/slack.h"
#include "analysis/whatif.h"
#include "trace/link.h"
#include "trace/model.h"
#include "trace/read.h"

#include <stdio.h>
#include <time.h>

#define SCENARIOS 100

static double cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The names in the order of the path, each at two speeds, over and over. */
static void ask(struct whatif *w, const struct trace *tr, const struct path *p, struct arena *a)
{
	for (uint32_t i = 0; w->nscenarios < SCENARIOS && p->n; i++) {
		const struct path_segment *s = &p->at[i % p->n];
		if (s->event != NONE && tr->ev.name[s->event] != NONE)
			whatif_add_name(w, tr, tr->ev.name[s->event], i % 2 ? "2x" : "0", a);
		else
			whatif_add_classes(w, path_class_texts[s->class].name, 1u << s->class,
					   i % 2 ? "2x" : "0", a);
	}
}

int main(int argc, char **argv)
{
	struct arena a = { 0 };
	struct whatif w = { 0 };
	struct lp_error err;
	uint32_t inferred;
	double t[4];

	t[0] = cpu();
	struct trace *tr = argc == 2 ? trace_read(argv[1], (struct read_options){ 0 }, &err) : NULL;
	if (!tr) {
		fprintf(stderr, "usage: critpath FILE\n");
		return 2;
	}
	model_build(tr);
	t[1] = cpu();
	trace_links(tr, LINK_BEST, TREE_FULL);
	t[2] = cpu();
	struct path_graph *g = critpath_of_trace(tr, &a, &inferred);
	struct path_view v = critpath_view(g, (struct path_window){ g->start, g->end, NONE });
	struct path p = critpath_walk(&v, &a);
	slack_of_nodes(&v, &a);
	ask(&w, tr, &p, &a);
	whatif_run(&w, tr, &v, &a);
	t[3] = cpu();
	printf("%.6f %.6f %.6f %llu %zu\n", t[1] - t[0], t[2] - t[1], t[3] - t[2],
	       (unsigned long long)critpath_graph_edges(g), g->bytes);
	trace_free(tr);
	arena_free(&a);
	return 0;
}
