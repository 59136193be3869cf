/*
 * profile_collapsed.h - collapsed (folded) stacks: "root;caller;leaf COUNT", one a line.
 *
 * The count is what follows the last blank; it may have a fraction, which is kept. Files
 * of difffolded have two counts a line: the second less the first is the weight. The
 * marks of collapsers (_[k] kernel, _[i] inlined, _[j] jit) are no part of a name.
 */
#ifndef PROFILE_PROFILE_COLLAPSED_H
#define PROFILE_PROFILE_COLLAPSED_H

#include "profile/profile_read.h"

/* Do these first bytes of a text look like it? */
bool collapsed_looks(struct str head, bool whole);
enum profile_answer profile_collapsed(struct scroll *w, const char *path, struct profile_options o,
				      struct profile **out, struct lp_error *err);

#endif
