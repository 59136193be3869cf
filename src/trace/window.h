/*
 * window.h - what `--window` names: a stretch of host time. (Iterations are found by the
 * analysis: split_window.h.)
 *
 *	step:12        the step with that number (the first of several)
 *	1.2s..1.3s     times since the first event; s, ms, us (µs) or ns; either side may be left
 *out forward        the first annotation of that name; forward:2 the third
 *
 * Nothing or "" is the whole trace.
 */
#ifndef TRACE_WINDOW_H
#define TRACE_WINDOW_H

#include "trace/trace.h"

/* Absolute, half open; host work counts where it lies, GPU work by its launch or by its own time.
 */
struct window {
	nsec start, end;
	bool whole;
	bool by_times; /* as 1.2s..1.3s: not the host's stretch of something */
};

/* "1.2s..1.3s" after `base`; a side left out leaves what is there. False if it is no such pair. */
bool window_times(const char *text, nsec base, nsec *start, nsec *end);
bool trace_window(struct trace *tr, const char *text, struct window *out, struct lp_error *err);

#endif
