/*
 * link_build.h - the steps that find launches; only link*.c include it.
 *
 * Each step fills launches of GPU events that have none yet.
 */
#ifndef TRACE_LINK_BUILD_H
#define TRACE_LINK_BUILD_H

#include "base/map.h"
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

static inline uint32_t link_process(const struct trace *tr, event_id e)
{
	return tr->lanes.at[tr->ev.lane[e]].process;
}

/* Its correlation; 0 if it has none: 0 and below are none. */
static inline int64_t link_id(const struct trace *tr, event_id e)
{
	int64_t id;

	return arg_i64(tr, e, KEY_CORRELATION, &id) && id > 0 ? id : 0;
}

/* The host calls that have a correlation. */
struct calls {
	uint32_t n;
	event_id *event; /* by id, process, start, longest first */
	int64_t *id;
	struct map first; /* of an id: its first row */
};

/* One past the calls of the same id and process as row i. */
uint32_t calls_end(const struct trace *tr, const struct calls *c, uint32_t i);
/* The row of from .. to (of one id and process) that started last before `at`; else the first. */
uint32_t calls_before(const struct trace *tr, const struct calls *c, uint32_t from, uint32_t to,
		      nsec at);
/* Where several processes use the same ids: parts GPU work among them. */
void link_ranks(struct linking *l, const struct calls *c);

void link_by_correlation(struct linking *l);
void link_by_flow(struct linking *l);
void link_by_external_id(struct linking *l);
void link_as_tracelens(struct linking *l);
/* Counts the oddities of finished links. */
void link_check(struct linking *l);

#endif
