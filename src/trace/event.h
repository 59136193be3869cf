/*
 * event.h - the events of a trace, one array per field.
 *
 * EVENT_COLUMNS is the one list of fields. The struct, the reader's growth and
 * `info --columns` are made from it, so a field is added here only.
 *
 * Row e is the e-th element of the file's event list, of any phase, empty ones
 * included; one that is so damaged that it had to be dropped has no row. The model
 * leaves a B/E pair as one slice in the row of the B.
 */
#ifndef TRACE_EVENT_H
#define TRACE_EVENT_H

#include "base/base.h"

#define EVENT_COLUMNS(X)                                                           \
	X(nsec, ts, "start, ns, absolute as in the file; NSEC_NONE if missing")    \
	X(nsec, dur, "length, ns; 0 for an instant; NSEC_NONE if missing")         \
	X(string_id, name, "name; NONE if missing")                                \
	X(lane_id, lane, "the CPU thread or GPU stream; NONE if dropped")          \
	X(uint32_t, args, "first argument, relative to its block: see args.h")     \
	X(uint32_t, place, "byte in the text, relative to its block: see trace.h") \
	X(uint16_t, cat, "category, row of trace.cats; UINT16_MAX if missing")     \
	X(uint8_t, kind, "enum kind")                                              \
	X(uint8_t, ph, "phase: the letter in the file; 'X' for a closed B/E pair") \
	X(uint8_t, flags, "enum event_flag")

struct events {
	uint32_t n;
#define X(type, name, doc) type *name;
	EVENT_COLUMNS(X)
#undef X
};

enum event_flag {
	EVENT_INVALID_TIME = 1 << 0, /* counts, but takes no part in windows and sums of time */
	EVENT_CLIPPED = 1 << 1,  /* dur was repaired; trace_raw_dur() has the figure of the file */
	EVENT_UNCLOSED = 1 << 2, /* a B without E, or an X without dur: closed at the end */
	EVENT_DROPPED =
		1 << 3, /* empty or no object: keeps its row, has no lane, no times, no args */
	EVENT_PAIRED = 1 << 4, /* an E that closed a B: its time is in the B's row */
};

/* Rows per block of the two relative columns (args, place). */
#define EVENT_BLOCK_BITS 16

#endif
