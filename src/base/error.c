#include "base/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What does not fit is the start of a long path, not the reason behind it. */
static void keep_the_end(struct lp_error *err, const char *fmt, va_list ap)
{
	char *whole;

	if (vasprintf(&whole, fmt, ap) < 0)
		return;
	snprintf(err->text, sizeof(err->text), "... %s",
		 whole + strlen(whole) - (sizeof(err->text) - 5));
	free(whole);
}

bool error_set(struct lp_error *err, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return false;
	va_start(ap, fmt);
	int n = vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	if (n < (int)sizeof(err->text))
		return false;
	va_start(ap, fmt);
	keep_the_end(err, fmt, ap);
	va_end(ap);
	return false;
}

bool error_at(struct lp_error *err, const char *path, uint64_t offset, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return false;
	int n = snprintf(err->text, sizeof(err->text), "%.255s: byte %" PRIu64 ": ", path, offset);
	va_start(ap, fmt);
	vsnprintf(err->text + n, sizeof(err->text) - (size_t)n, fmt, ap);
	va_end(ap);
	return false;
}
