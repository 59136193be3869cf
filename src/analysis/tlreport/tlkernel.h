/* tlkernel.h - kernels one by one, linked to a launch or not, for the sheets about kernels. */
#ifndef ANALYSIS_TLKERNEL_H
#define ANALYSIS_TLKERNEL_H

#include "analysis/tlreport/tlreport.h"

struct tlkernel {
	event_id event;
	event_id launch; /* NONE */
	event_id op;     /* the nearest operator above the launch; NONE */
};

/* Events of category "kernel" with a valid time, in the order of the file. */
uint32_t tlkernel_list(struct tlreport *r, struct tlkernel **out);

#endif
