/*
 * profile_perf.h - what `perf script` prints (and simpleperf's report in its shape).
 *
 *	comm  pid/tid [cpu] seconds: period event:
 *		address symbol+0xoffset (object)      leaf first
 *		...
 *	an empty line
 *
 * A sample counts one, whatever its period. Threads are told by pid and tid.
 */
#ifndef PROFILE_PROFILE_PERF_H
#define PROFILE_PROFILE_PERF_H

#include "profile/profile_read.h"

bool perf_looks(struct str head);
enum profile_answer profile_perf(struct scroll *w, const char *path, struct profile_options o,
				 struct profile **out, struct lp_error *err);

#endif
