/*
 * opt.h - options of the command line, read by tables of struct opt.
 *
 * Options may stand anywhere; "--" ends them; "-" is an operand. --name VALUE,
 * --name=VALUE, -x VALUE, -xVALUE and -abc (flags) are understood.
 */
#ifndef CLI_OPT_H
#define CLI_OPT_H

#include "cli/cmd.h"

/* Sentence and false; like the library's, but cli/ has only longpole.h. */
bool fail(struct lp_error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Stores the values of the options in argv[1..argc) and moves the operands to its front,
 * followed by NULL. `own` may be NULL; `common` are known besides it.
 */
bool opt_parse(char **argv, const struct opt *own, const struct opt *common, struct lp_error *err);
/* The place of the first operand, reading past the common options only; 0 if there is none. */
int opt_first_operand(char **argv, const struct opt *common);
/* Whether there are as many operands as `args` of a command asks for. */
bool opt_count(const struct command *c, char **operands, struct lp_error *err);

#endif
