/* opstep.h - which annotation stands around an operator: of a serving step it tells the batch. */
#ifndef ANALYSIS_OPMODEL_OPSTEP_H
#define ANALYSIS_OPMODEL_OPSTEP_H

#include "trace/trace.h"

struct opsteps {
	uint32_t n;
	event_id *at; /* annotations by start */
	nsec *latest; /* end of those up to each */
};

struct opsteps opsteps_list(struct arena *a, const struct trace *tr);
/* The first annotation by start that begins no later than e and ends after it; NONE. */
event_id opsteps_around(const struct opsteps *s, const struct trace *tr, event_id e);

#endif
