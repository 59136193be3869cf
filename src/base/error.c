#include "base/error.h"

#include <inttypes.h>
#include <stdarg.h>

bool error_set(struct lp_error *err, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return false;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
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
