/*
 * damage.h - getting on after text that is no event.
 *
 * Two ways, tried in this order: a string with unescaped quotes in it is read to the
 * quote that must have been meant; else the event is dropped and reading goes on at
 * the next thing that looks like one.
 */
#ifndef TRACE_DAMAGE_H
#define TRACE_DAMAGE_H

#include "trace/read_event.h"

/*
 * Reads the event at *p although read_careful() gave it up with `trouble`, by finding
 * the true ends of its strings. SCAN_BAD: it cannot be saved.
 */
enum scan damage_repair(struct batch *b, const struct text *t, const char **p,
			struct read_trouble trouble);
/*
 * The next event after the damaged one at `from`, which went wrong at `at`, or the bracket
 * that closes the list: *next, or NULL if there is neither. SCAN_MORE: not to be told yet.
 */
enum scan damage_next(struct batch *b, const struct text *t, const char *from, const char *at,
		      const char **next);
/* SCAN_OK if what follows an event that ends at p can follow one. */
enum scan damage_follows(const struct text *t, const char *p);

#endif
