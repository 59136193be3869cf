/*
 * firefox_tables.h - the tables of a Firefox profile that lead from a raw stack row to ours.
 *
 *	stackTable.frame ─► frameTable.func ─► funcTable.name ─► stringArray
 *	stackTable.prefix (index or null), or prefixOffset (rows back, 0 for a root)
 *
 * Every thread has its own, or all share those of the document. They may come in any order,
 * so they are only kept as they are read (firefox_tables.c) and resolved when all are there
 * (firefox_resolve.c).
 */
#ifndef PROFILE_FIREFOX_TABLES_H
#define PROFILE_FIREFOX_TABLES_H

#include "base/jstream.h"
#include "profile/profile.h"

struct firefox_tables {
	/* Ids plus one, as jstream_narrow() has them. */
	struct narrow stack_frame, stack_prefix, stack_offset;
	struct narrow frame_func, frame_location;
	struct narrow func_name, func_file, func_source, func_line, func_resource;
	struct narrow resource_name, source_name;
	struct narrow strings; /* rows of profile.strings */
	struct counted raw;    /* once resolved: functions and callers of raw rows, until taken */
	uint32_t *stacks;      /* once taken: of each raw row our stack; NULL: the same */
	size_t nstacks;
	bool given; /* a stackTable was there */
	bool resolved;
};

/* Reads the value of a key of `shared`, of a thread or of the root of old files; false if it is no
 * table of ours, and the value is still at hand. */
bool firefox_tables_key(struct jstream *js, struct firefox_tables *t, struct str key,
			struct profile *p);
/* Its functions become the profile's; of the tables only `raw` is left. Once. */
void firefox_tables_resolve(struct firefox_tables *t, struct profile *p);
/* Resolves, and its stacks become the profile's, too. */
void firefox_tables_take(struct firefox_tables *t, struct profile *p);
/* Of the tables as they were read. */
void firefox_tables_free_columns(struct firefox_tables *t);
void firefox_tables_free(struct firefox_tables *t);

#endif
