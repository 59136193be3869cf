/*
 * gpu_time.h - what a set of GPU events does with its stretch of time.
 *
 *	computation   ■■■■    ■■■
 *	communication    ■■■■■  ■■■■■
 *	copies      ■■                ■■■
 *	            cc■■■■mmmm■■■mmmmmccc     exposed: not hidden by what stands above it
 *
 * Sums are over unions, so streams that overlap do not count twice, and
 * computation + exposed communication + exposed copies + idle = total.
 */
#ifndef ANALYSIS_GPU_TIME_H
#define ANALYSIS_GPU_TIME_H

#include "trace/link.h"

struct gpu_time {
	uint32_t n;       /* events, those without a valid time too */
	uint32_t timed;   /* events with one: if there is none, all is 0 */
	nsec start, end;  /* from the first start to the last end; absolute */
	nsec computation; /* what is neither of the others; sets too */
	nsec exposed_communication, exposed_copies;
	nsec busy, idle, total;
	nsec communication, copies; /* hidden or not */
};

/* Of events e[0 .. n), cut to [from, to). */
struct gpu_time gpu_time_of(const struct trace *tr, const event_id *e, uint32_t n, nsec from,
			    nsec to);

#endif
