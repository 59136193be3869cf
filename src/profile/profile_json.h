/*
 * profile_json.h - what kind of profile a JSON document is shows while it is read:
 *
 *	meta, threads, shared.stackTable    Firefox, samply      (profile_firefox.h)
 *	shared.frames, profiles             speedscope           (profile_speedscope.h)
 *	nodes or head, samples              V8                   (profile_cpuprofile.h)
 *	traceEvents, or a list              a trace: not for us
 */
#ifndef PROFILE_PROFILE_JSON_H
#define PROFILE_PROFILE_JSON_H

#include "profile/profile_read.h"

enum profile_answer profile_json(struct scroll *w, const char *path, struct profile_options o,
				 struct profile **out, struct lp_error *err);

#endif
