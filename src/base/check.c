#include "base/check.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void check_failed(const char *identity, const char *file, int line)
{
	fprintf(stderr,
		"longpole: internal error: '%s' does not hold (%s:%d); the answer would be wrong. "
		"Please report this with the trace.\n",
		identity, file, line);
	exit(2);
}
