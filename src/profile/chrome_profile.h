/*
 * chrome_profile.h - the JavaScript profiles inside a Chrome trace, one thread each.
 *
 * CpuProfile events hold one whole; Profile and its ProfileChunk events are put together
 * by process and id. Node ids are only valid within one profile.
 */
#ifndef PROFILE_CHROME_PROFILE_H
#define PROFILE_CHROME_PROFILE_H

#include "profile/profile.h"
#include "trace/trace.h"

bool chrome_has_profiles(const struct trace *tr);
struct profile *chrome_profiles(const struct trace *tr, struct lp_error *err);

#endif
