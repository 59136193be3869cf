/*
 * trace.h - one trace in memory: what was read, and what is derived from it.
 *
 * trace_read() (read.h) fills the first part and never changes it again; the model
 * (kinds, lanes, repairs: model.h) completes it at once; trees, links, pairs and
 * steps are derived on demand by trace_tree(), trace_links(), ... and kept.
 */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/intern.h"
#include "trace/args.h"
#include "trace/counter.h"
#include "trace/event.h"
#include "trace/kind.h"
#include "trace/lane.h"

/* Where the bytes came from. */
struct source {
	const char *path; /* as given; "-" is stdin */
	bool gzip;
	uint64_t packed_size; /* bytes of the file */
	uint64_t size;        /* bytes of JSON */
	const void *memory;   /* where the bytes are if they were read from memory; or NULL */
	int copy;             /* a temporary copy of stdin, by descriptor; 0: none */
	int copy_error;       /* errno: the copy is not whole */
};

/* A key of the root object beside traceEvents, its value as raw JSON. */
struct meta {
	struct str key, json;
};

/* A duration that was repaired, as the file has it. */
struct clipped {
	event_id event;
	nsec dur;
};

struct trace {
	struct arena arena;
	struct source source;
	struct events ev;
	struct args args;
	struct strings strings; /* names, values of arguments, pids and tids */
	struct strings cats;    /* categories; events.cat is a row of it */
	struct lanes lanes;
	struct counters counters;
	uint32_t nmeta;
	struct meta *meta;
	uint64_t *place_base;    /* per block of events: add it to events.place */
	struct columns *columns; /* owns the big arrays; NULL if they are somebody else's */

	/* by the model */
	nsec base;       /* first start of a valid event: the zero of all answers */
	nsec start, end; /* the window: host and GPU events with valid times */
	nsec last;       /* the last moment anything happens: where what is open is closed */
	uint32_t nslices;
	uint32_t nkind[KINDS]; /* events that have a row of their own: no E that closed a B */
	uint32_t ngpu;
	event_id *gpu; /* GPU work by lane (lanes_rank), valid times first, start, file order */
	uint32_t nclipped;
	struct clipped *clipped; /* by event */

	struct derived *derived; /* trees, links, steps; see derive.h */
};

static inline struct str trace_name(const struct trace *tr, event_id e)
{
	string_id s = tr->ev.name[e];

	return s == NONE ? STR("") : strings_get(&tr->strings, s);
}

static inline nsec trace_end(const struct trace *tr, event_id e)
{
	return tr->ev.ts[e] + tr->ev.dur[e];
}

/* A stretch of time on a lane: a complete event or a closed B/E pair. */
static inline bool trace_slice(const struct trace *tr, event_id e)
{
	return tr->ev.ph[e] == 'X' && !(tr->ev.flags[e] & EVENT_DROPPED);
}

/* Has a start and a length that take part in sums of time. */
static inline bool trace_timed(const struct trace *tr, event_id e)
{
	return !(tr->ev.flags[e] & EVENT_INVALID_TIME) && tr->ev.ts[e] != NSEC_NONE &&
	       tr->ev.dur[e] != NSEC_NONE;
}

/* Byte of the event in the JSON text. */
uint64_t trace_place(const struct trace *tr, event_id e);
/* Lines (from 1) of `n` rising byte positions, by reading the source once more; false for stdin of
 * which there is no copy. */
bool trace_lines(const struct trace *tr, const uint64_t *byte, uint64_t *line, uint32_t n);
/* Fills `err` with the first place of an oddity, by line and byte; returns false. */
bool trace_oddity_error(const struct trace *tr, enum counter what, struct lp_error *err);
/* The duration in the file of an event that was clipped. */
nsec trace_raw_dur(const struct trace *tr, event_id e);
/* Raw JSON of a root key; {NULL, 0} if missing. */
struct str trace_meta(const struct trace *tr, const char *key);

void trace_free(struct trace *tr);

#endif
