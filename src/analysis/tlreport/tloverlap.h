/*
 * tloverlap.h - what ran on other streams while an operator's kernels ran.
 *
 * Two pieces of work overlap if they are on different streams of one device, not of the same
 * operator, and share at least a microsecond.
 */
#ifndef ANALYSIS_TLOVERLAP_H
#define ANALYSIS_TLOVERLAP_H

#include "analysis/tlreport/tlreport.h"

/* Of one owner; names of overlapping work are numbers of strings of the trace. */
struct tloverlap {
	uint32_t names; /* number of the set of names: equal sets, equal numbers */
	double percent; /* the overlapped part of its busy time, a fraction; NaN: nothing overlaps
			 */
	uint32_t first, n; /* its part of named[] */
};

/* Work of one name that overlaps with an owner's. */
struct tlnamed {
	string_id name;
	event_id event; /* the first: its stream is shown */
	double mean;    /* duration, us */
	double percent; /* mean part of the owner's busy time */
};

struct tloverlaps {
	struct tlreport *r;
	struct tloverlap *owner; /* of each of the report's owners */
	struct tlnamed *named;   /* of one owner in the order of the names' numbers */
	struct strings sets;
};

struct tloverlap_text {
	const char *names, *full, *trunc; /* NULL if nothing overlaps */
};

struct tloverlaps tloverlap_find(struct tlreport *r);
void tloverlap_free(struct tloverlaps *v);
/* Of owners with the same set of names. */
struct tloverlap_text tloverlap_text(const struct tloverlaps *v, const uint32_t *owner, uint32_t n);

#endif
