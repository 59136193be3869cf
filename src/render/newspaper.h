/* newspaper.h - a long list of short lines, in columns side by side. */
#ifndef RENDER_NEWSPAPER_H
#define RENDER_NEWSPAPER_H

#include "render/sheet.h"

/*
 *	kind    events  kind     events      Sets a table of names and one number each, if it
 *	python  65,313  memory   13,474      is never cut by --limit and of at least eight
 *	cpu_op  24,378  runtime   9,292      lines, in up to three columns that are read
 *	flow    14,457  kernel    4,330      downwards; leaves all others alone.
 */
void newspaper_set(struct sheet *s, unsigned columns);

#endif
