/*
 * read_event.h - one event from its text.
 *
 * read_careful() is the rule: it goes byte by byte, survives what can be survived and
 * counts it. read_list() and read_damage.c stand on it.
 */
#ifndef TRACE_READ_EVENT_H
#define TRACE_READ_EVENT_H

#include "trace/batch.h"

/* The text being read: a run of the whole. */
struct text {
	const char *p, *end;
	uint64_t origin; /* of p in the whole text */
	bool last;       /* nothing follows `end` */
};

static inline uint64_t text_byte(const struct text *t, const char *at)
{
	return t->origin + (uint64_t)(at - t->p);
}

/* A string whose closing quote is known better than by the rules. */
struct read_forced {
	const char *open, *close;
};

/* What read_careful() knows about the place where it gave up. */
struct read_trouble {
	const char *at;
	const char *string; /* inside of the value just before it, if that is a string; or NULL */
	bool in_args;       /* that string is an argument */
};

#define FORCED_MAX 8

struct read_hints {
	uint32_t nforced;
	struct read_forced forced[FORCED_MAX];
};

/*
 * Reads the event at *p (its brace) into the batch and moves *p behind it. SCAN_MORE:
 * the text ends first. SCAN_BAD: `trouble` says where; nothing is added to the batch.
 */
enum scan read_careful(struct batch *b, const struct text *t, const char **p,
		       const struct read_hints *hints, struct read_trouble *trouble);
/* Counts the oddities of a value that starts at `byte`. */
void read_count_faults(struct batch *b, const struct faults *f, uint64_t byte);
/* What a member of an event is. */
enum read_field {
	FIELD_PH,
	FIELD_CAT,
	FIELD_NAME,
	FIELD_PID,
	FIELD_TID,
	FIELD_TS,
	FIELD_DUR,
	FIELD_ARGS,
	FIELD_OTHER,    /* kept as an argument, "." before its name */
	FIELD_ARGUMENT, /* what stands in args */
};

enum read_field read_field_of(struct str key);
/* Is this the name of a field that the format knows? */
bool read_is_field(struct str key);
/* What dur means if the event has none: unknown for a slice, nothing for all else. */
static inline nsec read_default_dur(uint8_t ph)
{
	return ph == 'X' || ph == 'B' ? NSEC_NONE : 0;
}

#endif
