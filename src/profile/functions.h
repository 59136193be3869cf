/*
 * functions.h - what stacks are made of: a name and, where it is known, its place.
 *
 * Two functions are one if name, file and line are the same; line 0 is unknown. Ids
 * count up in the order of first appearance.
 */
#ifndef PROFILE_FUNCTIONS_H
#define PROFILE_FUNCTIONS_H

#include "base/intern.h"
#include "profile/stacks.h"

enum function_flag {
	FUNCTION_WAIT = 1 << 0, /* does nothing but wait for a GPU: cudaStreamSynchronize ... */
	FUNCTION_LEAD = 1 << 1, /* launches work or is an operator: see profile_thread.leads */
};

struct function {
	string_id name;
	string_id file; /* source file, library or URL; NONE if unknown */
	uint32_t line;  /* where it is defined */
	uint32_t flags; /* enum function_flag */
};

struct functions {
	uint32_t n, cap;
	struct function *at;
	uint32_t *slots; /* id + 1 by hash; NULL while there is no room for more */
	uint32_t nslots;
};

/* Makes room for n in all. */
void functions_reserve(struct functions *fs, uint32_t n);
func_id functions_add(struct functions *fs, string_id name, string_id file, uint32_t line);
/* Gives back the room for more, which is made again when one is added. */
void functions_trim(struct functions *fs);
void functions_free(struct functions *fs);

#endif
