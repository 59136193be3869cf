/*
 * limits.c - what the machine itself can do, for the ratios of bench/run.
 *
 *	limits inflate FILE   reads the file through input.h and drops the bytes
 *	limits memcpy         copies a buffer that no cache holds
 *	limits run COMMAND    runs it, its output to nowhere
 *
 * The first two print bytes, wall and CPU seconds; the last one CPU seconds and peak bytes of
 * memory, which a larger parent than this would hand on to its child.
 */
#include "base/input.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint64_t inflate_file(const char *path)
{
	static char window[256 << 10];
	struct lp_error err;
	struct input *in = input_open(path, &err);
	uint64_t bytes = 0;
	size_t n;

	if (!in) {
		fprintf(stderr, "limits: %s\n", err.text);
		exit(2);
	}
	while ((n = input_read(in, window, sizeof(window))))
		bytes += n;
	input_close(in);
	return bytes;
}

static void copy_memory(void)
{
	const size_t size = (size_t)256 << 20;
	char *from = malloc(size), *to = malloc(size);

	if (!from || !to)
		exit(2);
	memset(from, 1, size);
	memset(to, 2, size);

	double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);

	for (int i = 0; i < 8; i++) {
		memcpy(to, from, size);
		from[i] = to[size - 1]; /* the copies are needed */
	}
	wall = seconds(CLOCK_MONOTONIC) - wall;
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	printf("%zu %.6f %.6f\n", 8 * size, wall, cpu);
	free(from);
	free(to);
}

static int run(char **command)
{
	struct rusage used;
	int status;
	pid_t child = fork();

	if (!child) {
		dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
		execv(command[0], command);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &used) < 0 || status)
		return 2;
	printf("%.6f %lld\n",
	       (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
		       (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6,
	       (long long)used.ru_maxrss * 1024);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "run"))
		return run(argv + 2);
	if (argc == 2 && !strcmp(argv[1], "memcpy")) {
		copy_memory();
		return 0;
	}
	if (argc != 3 || strcmp(argv[1], "inflate")) {
		fputs("usage: limits inflate FILE | limits memcpy | limits run COMMAND\n", stderr);
		return 2;
	}

	double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
	uint64_t bytes = inflate_file(argv[2]);

	printf("%llu %.6f %.6f\n", (unsigned long long)bytes, seconds(CLOCK_MONOTONIC) - wall,
	       seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu);
	return 0;
}
