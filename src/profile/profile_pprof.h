/*
 * profile_pprof.h - pprof's protobuf (perftools.profiles.Profile).
 *
 * A location of several lines is inlined code: each line is a frame. Of the values of a
 * sample one is taken: the one asked for, else the file's default, else the last.
 */
#ifndef PROFILE_PROFILE_PPROF_H
#define PROFILE_PROFILE_PPROF_H

#include "profile/profile_read.h"

/* Do these first bytes look like it? `whole`: they are all there is. */
bool pprof_looks(struct str head, bool whole);
enum profile_answer profile_pprof(struct scroll *w, const char *path, struct profile_options o,
				  struct profile **out, struct lp_error *err);

#endif
