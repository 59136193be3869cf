/*
 * profile_cpuprofile.h - profiles of V8: .cpuprofile files, the Profile and ProfileChunk
 * events of Chrome traces, and .heapprofile files.
 *
 * Nodes form a tree, flat (children or parent are ids) or nested; samples are node ids.
 * Node ids are only valid within one profile.
 */
#ifndef PROFILE_PROFILE_CPUPROFILE_H
#define PROFILE_PROFILE_CPUPROFILE_H

#include "base/jstream.h"
#include "profile/profile.h"

struct cpuprofile;

struct cpuprofile *cpuprofile_new(struct profile *p);
/* The value of one key of a profile (nodes, head, samples, timeDeltas ...); false: not known. */
bool cpuprofile_key(struct jstream *js, struct cpuprofile *c, struct str key);
/* Has anything been read that only such a profile has? */
bool cpuprofile_any(const struct cpuprofile *c);
/* Its samples become a thread of the profile. */
void cpuprofile_finish(struct cpuprofile *c, const char *name, const char *pid, const char *tid);
void cpuprofile_free(struct cpuprofile *c);

#endif
