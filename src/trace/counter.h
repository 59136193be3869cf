/*
 * counter.h - oddities, counted by name, each with its first place.
 *
 * Odd data is never an error: it is counted here and shown by info and check.
 */
#ifndef TRACE_COUNTER_H
#define TRACE_COUNTER_H

#include "base/base.h"

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR };

enum counter {
#define X(name, severity, text) COUNT_##name,
#include "trace/counters.def"
#undef X
	COUNTERS
};

struct counters {
	uint64_t n[COUNTERS];
	uint64_t first_byte[COUNTERS]; /* in the JSON text; UINT64_MAX if it has no place */
};

struct counter_text {
	const char *name;
	enum severity severity;
	const char *text;
};

extern const struct counter_text counter_texts[COUNTERS];

/* "error", "warning", "note" */
const char *severity_name(enum severity s);

/* Counts one more at `byte` (UINT64_MAX: no place); keeps the smallest place. */
void counter_hit(struct counters *c, enum counter what, uint64_t byte);
/* The oddity of at least this severity that comes first in the text; COUNTERS if there is none. */
enum counter counters_first(const struct counters *c, enum severity least);
/* Events that were lost, and events that were mended, of all kinds. */
uint64_t counters_dropped(const struct counters *c);
uint64_t counters_repaired(const struct counters *c);
/* Adds all of `from`. */
void counters_merge(struct counters *into, const struct counters *from);

#endif
