/* usage.h - what of a command line cannot be meant, found before anything is read. */
#ifndef CLI_USAGE_H
#define CLI_USAGE_H

#include "cli/cmd.h"

/* Operands that cannot be read, options that `c` has no use for, an output that is an input. */
bool usage_check(const struct command *c, const char *const *operands, struct lp_error *err);
/* Whether `path` (NULL: nowhere) may be written: it is none of the operands that were checked. */
bool usage_spares_inputs(const char *path, struct lp_error *err);

#endif
