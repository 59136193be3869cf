/*
 * shortname.h - long names in few columns, with no two of them looking alike.
 *
 *	void at::native::foo<float, 4>(int, float*)    at::native::foo<…>
 *	<function f at 0x7f12ab34>                     <function f at 0x…>
 *	a_very_long_kernel_name_of_a_library           a_very_l…library
 */
#ifndef BASE_SHORTNAME_H
#define BASE_SHORTNAME_H

#include "base/arena.h"
#include "base/utf8.h"

/* One safe name within `columns`, for a sentence. */
const char *shortname(struct arena *a, const char *name, unsigned columns, enum utf8_for reader);

/* A safe text within `columns`: its middle goes. */
const char *shortname_cut(struct arena *a, const char *safe, unsigned columns,
			  enum utf8_for reader);

/*
 * The safe short form of each of `n` names (NULL stays NULL), as long as they need to be:
 * equal names look equal, different ones different.
 */
void shortname_all(struct arena *a, const char *const *names, const char **out, uint32_t n,
		   enum utf8_for reader);
/* Forms of shortname_all cut to `columns` (at least 8), still different. */
void shortname_fit(struct arena *a, const char *const *forms, const char **out, uint32_t n,
		   unsigned columns, enum utf8_for reader);

#endif
