/*
 * save.h - a file that appears under its name when it is whole.
 *
 * It is written beside it first (NAME.part) and keeps the permissions it had; a link goes
 * on leading to it. What is no ordinary file (a pipe, /dev/null) is written directly, and
 * "-" is stdout. A name that ends in ".gz" is compressed on the way.
 */
#ifndef BASE_SAVE_H
#define BASE_SAVE_H

#include "base/error.h"

#include <stdio.h>

struct save {
	FILE *out;        /* write here */
	FILE *file;       /* what `out` ends in; the same if nothing is compressed */
	struct gzout *gz; /* NULL: not compressed */
	char *path;
	char *target, *part; /* the file that `path` leads to; NULL: written directly */
};

bool save_open(struct save *s, const char *path, struct lp_error *err);
/* With `keep` false as if it had never been. False if not all of it could be written. */
bool save_close(struct save *s, bool keep, struct lp_error *err);

#endif
