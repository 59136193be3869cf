/*
 * pyrepr.h - values as Python prints them, for reports that are compared with its tools.
 *
 * [[2, 3], [4], ""] is ((2, 3), (4,), '') as tuples and [[2, 3], [4], ''] as lists.
 */
#ifndef ANALYSIS_PYREPR_H
#define ANALYSIS_PYREPR_H

#include "base/textbuf.h"

enum pyrepr_lists { PYREPR_LISTS, PYREPR_TUPLES };

/* Of a JSON value. */
const char *pyrepr(struct arena *a, struct str json, enum pyrepr_lists lists);
/* Appends 'text', quoted as Python does. */
void pyrepr_string(struct textbuf *b, struct str s);
/* Appends the fewest digits that read back as v. */
void pyrepr_number(struct textbuf *b, double v);

#endif
