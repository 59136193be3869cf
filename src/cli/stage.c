#include "cli/stage.h"
#include "cli/settings.h"

#include <sys/resource.h>
#include <time.h>

static double clock_now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void stage_end(const char *name)
{
	static double wall, cpu;
	double wall_now = clock_now(CLOCK_MONOTONIC), cpu_now = clock_now(CLOCK_PROCESS_CPUTIME_ID);
	struct rusage use;

	if (!wall)
		wall = wall_now - cpu_now; /* the start of the process, nearly */
	if (settings.stats) {
		getrusage(RUSAGE_SELF, &use);
		fprintf(stderr, "longpole: %-6s  %8.3f s  %8.3f s CPU  %8.1f MB peak\n", name,
			wall_now - wall, cpu_now - cpu, (double)use.ru_maxrss * 1024 / 1e6);
	}
	wall = wall_now;
	cpu = cpu_now;
}
