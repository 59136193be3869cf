/*
 * profile_read.h - a sampled profile of any known format, told by content.
 *
 * | Firefox, samply: processed of all versions, raw Gecko | profile_firefox.c    |
 * | speedscope: evented and sampled                       | profile_speedscope.c |
 * | V8 .cpuprofile                                        | profile_cpuprofile.c |
 * | collapsed (folded) stacks                             | profile_collapsed.c  |
 * | perf script                                           | profile_perf.c       |
 * | pprof protobuf                                        | profile_pprof.c      |
 */
#ifndef PROFILE_PROFILE_READ_H
#define PROFILE_PROFILE_READ_H

#include "base/jstream.h"
#include "profile/profile.h"

enum profile_answer {
	PROFILE_READ,    /* *out is the profile, finished */
	PROFILE_TRACE,   /* it is a list of trace events: not for us */
	PROFILE_REFUSED, /* err says why */
	PROFILE_AGAIN,   /* among readers: with the columns option */
};

enum profile_answer profile_read(const char *path, struct profile_options o, struct profile **out,
				 struct lp_error *err);
/* The same from memory, packed or not; `name` stands for the path in messages. */
enum profile_answer profile_read_memory(const char *name, const void *text, size_t n,
					struct profile_options o, struct profile **out,
					struct lp_error *err);

#endif
