/* show.h - from an answer to the bytes the options ask for. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include "cli/output.h"

/* The format asked for: by -f, else by the name of the output, else text. */
enum lp_format show_format(void);
/* The write options as the command line has them. */
struct lp_write_options show_options(void);
/* Of the commands the answer says to run next those that this build has; free() it. */
const char **show_next(const struct lp_answer *a);
/* Writes to -o or stdout; does not free the answer. */
bool show_answer(const struct lp_answer *a, struct lp_error *err);
/* In formats other than text what could change the answer goes to stderr. */
void show_doubts(const struct lp_answer *a);

#endif
