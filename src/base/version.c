#include "longpole.h"

#include <pthread.h>
#include <string.h>

static char text[96];

static void add(const char *part)
{
	strncat(text, part, sizeof(text) - strlen(text) - 1);
}

static void describe(void)
{
	add(LP_VERSION " (");
#ifdef HAVE_ISAL
	add("isa-l, ");
#endif
	add("zlib");
#ifdef HAVE_XLSX
	add(", xlsx");
#endif
#ifdef HAVE_PAGE
	add(", page");
#endif
#ifdef HAVE_SERVE
	add(", serve");
#endif
#ifdef HAVE_XLSX_READ
	add(", reads xlsx");
#endif
#ifdef __x86_64__
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx512bw"))
		add(", avx512");
	else if (__builtin_cpu_supports("avx2"))
		add(", avx2");
#elif defined(__aarch64__)
	add(", neon");
#endif
	add(")");
}

const char *lp_version(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, describe);
	return text;
}
