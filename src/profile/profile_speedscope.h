/*
 * profile_speedscope.h - speedscope files: evented and sampled profiles over shared frames.
 *
 * Frames of one name and file are one function here, whatever their line, so that a
 * function sampled on ten lines is one row. Frames may come after the profiles.
 */
#ifndef PROFILE_PROFILE_SPEEDSCOPE_H
#define PROFILE_PROFILE_SPEEDSCOPE_H

#include "base/jstream.h"
#include "profile/profile.h"

struct speedscope;

struct speedscope *speedscope_new(struct profile *p);
/* The value of shared.frames, and one item of "profiles". */
bool speedscope_frames(struct jstream *js, struct speedscope *s);
bool speedscope_profile(struct jstream *js, struct speedscope *s);
/* False if weights do not fit. */
bool speedscope_finish(struct speedscope *s, struct lp_error *err);
void speedscope_free(struct speedscope *s);

#endif
