/*
 * link_build.h - the steps that find launches; only link*.c include it.
 *
 * Each step fills launches of GPU events that have none yet.
 */
#ifndef TRACE_LINK_BUILD_H
#define TRACE_LINK_BUILD_H

#include "trace/link.h"
#include "trace/model.h"

/* Launches of GPU events, before they are tied to a tree. */
struct linking {
	struct trace *tr;
	struct arena *scratch;
	event_id *launch; /* of each row of trace.gpu */
	uint8_t *how;
	uint32_t *host; /* of each row: the process whose calls may launch it; NONE: any */
};

static inline void link_set(struct linking *l, uint32_t i, event_id launch, enum link_how how)
{
	l->launch[i] = launch;
	l->how[i] = (uint8_t)how;
}

/* May a call of this process have launched row i? */
static inline bool link_may(const struct linking *l, uint32_t i, event_id call)
{
	return l->host[i] == NONE || l->tr->lanes.at[l->tr->ev.lane[call]].process == l->host[i];
}

void link_by_correlation(struct linking *l);
void link_by_flow(struct linking *l);
void link_by_external_id(struct linking *l);
void link_as_tracelens(struct linking *l);
/* Counts the oddities of finished links. */
void link_check(struct linking *l);

#endif
