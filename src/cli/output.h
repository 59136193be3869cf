/*
 * output.h - where an answer goes: whole or not at all.
 *
 * A file is written under another name beside it and renamed when complete; it keeps the
 * permissions it had, and a link goes on leading to it. What is not an ordinary file (a
 * pipe, /dev/null) is written directly; "-" is stdout.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "cli/opt.h"

struct output {
	FILE *file;
	const char *path;
	char *target;    /* the file that `path` is or leads to */
	char *temporary; /* NULL: written directly */
};

/* `path` NULL is stdout, too. */
bool output_open(struct output *o, const char *path, struct lp_error *err);
/* Ends it; with `keep` false, as if it had never been. False if not everything is on its way. */
bool output_close(struct output *o, bool keep, struct lp_error *err);

#endif
