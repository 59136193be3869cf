#include "analysis/slack.h"

nsec *slack_of_nodes(const struct path_view *v, struct arena *a)
{
	const struct path_graph *g = v->g;
	nsec *late = critpath_deadlines(v, a), *length = NEW(a, g->dag.n, nsec);

	for (uint32_t i = 0; i < g->dag.n; i++)
		length[i] = g->node[i].end - g->node[i].start;
	longest_backward(&g->dag, v->first, g->dag.n, g->lag, length, late);
	for (uint32_t i = 0; i < g->dag.n; i++)
		late[i] = i < v->first || late[i] == LONGEST_NEVER ? NSEC_NONE
								   : late[i] - g->node[i].end;
	return late;
}

uint32_t slack_node_at(const struct path_graph *g, uint32_t track, nsec end)
{
	uint32_t lo = g->first[track], hi = g->first[track + 1], past = hi;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (g->node[g->order[mid]].start < end)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo > g->first[track] && (lo == past || g->node[g->order[lo - 1]].end >= end))
		lo--;
	return lo < past ? g->order[lo] : NONE;
}
