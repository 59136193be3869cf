/*
 * profile_firefox.h - profiles of Firefox and samply: processed of every version, raw Gecko.
 *
 * The reader of JSON roots (profile_json.c) hands over the keys it meets; all is put
 * together at the end.
 */
#ifndef PROFILE_PROFILE_FIREFOX_H
#define PROFILE_PROFILE_FIREFOX_H

#include "base/jstream.h"
#include "profile/profile.h"

struct firefox;

struct firefox *firefox_new(struct profile *p, struct profile_options o);
/* The value of "meta", one item of "threads", one key of "shared" (false: not known). */
bool firefox_meta(struct jstream *js, struct firefox *f);
bool firefox_thread(struct jstream *js, struct firefox *f);
bool firefox_shared_key(struct jstream *js, struct firefox *f, struct str key);
/* Past all keys of "shared". */
void firefox_shared_end(struct firefox *f);
/* Reading has failed because samples have weights: the columns option will keep them. */
bool firefox_again(const struct firefox *f);
/* Resolves all threads into the profile. */
void firefox_finish(struct firefox *f);
void firefox_free(struct firefox *f);

#endif
