/*
 * error.h - how a function says why it failed.
 *
 * One whole sentence, filled once, where it happened:
 *
 *	if (c != ',' && c != ']')
 *		return error_at(err, path, at, "expected ',' or ']' after an event");
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "base/base.h"
#include "longpole.h"

/* Both fill `err` (which may be NULL) and return false, so that failing is one statement. */
bool error_set(struct lp_error *err, const char *fmt, ...) PRINTF_LIKE(2, 3);
bool error_at(struct lp_error *err, const char *path, uint64_t offset, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

#endif
