/*
 * profile_table.h - a table inside a Firefox profile, in both of its shapes.
 *
 *	{"length": 2, "stack": [3, 4], "time": [0.5, 1.5]}                        by column
 *	{"schema": {"stack": 0, "time": 1}, "data": [[3, 0.5], [4, 1.5]]}         by row
 */
#ifndef PROFILE_PROFILE_TABLE_H
#define PROFILE_PROFILE_TABLE_H

#include "base/jstream.h"

enum table_kind { TABLE_IDS, TABLE_NARROW, TABLE_COUNTS, TABLE_DECIMALS, TABLE_FIXED };

struct table_column {
	const char *key;
	enum table_kind kind;
	void *out;   /* struct jstream_ids *, narrow *, jstream_counts * or _decimals * */
	bool seen;   /* the table has it, as a list */
	bool by_row; /* ... or in rows, where nothing can be only counted: TABLE_COUNTS is skipped
		      */
	int64_t at;  /* its place in a row; -1: not there */
};

/*
 * Reads what `cols` names from the object at hand. `other`, if not NULL, is given every key that
 * is no column, its value at hand to be taken or skipped; false from it: not interested.
 */
bool profile_table(struct jstream *js, struct table_column *cols, size_t n,
		   bool (*other)(struct jstream *js, struct str key, void *ctx), void *ctx);

#endif
