/*
 * Progress goes to a terminal only, once a second has passed, ten times a second at
 * most, and is erased when done:
 *
 *	reading huge.json.gz  ███████▏    72 %  496 of 690 MB  212 MB/s  2 s left
 */
#include "cli/heap.h"
#include "cli/opt.h"
#include "cli/settings.h"
#include "cli/stage.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct progress {
	const char *path;
	double start;
	_Atomic(double) shown; /* when last; 0: never */
	atomic_flag busy;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void draw_bar(double part)
{
	static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	int n = (int)(part * 80), cells = 0;

	if (!terminal_utf8()) {
		fprintf(stderr, "%-10.*s", n / 8, "##########");
		return;
	}
	for (; n >= 8; n -= 8, cells++)
		fputs("█", stderr);
	fputs(eighths[n], stderr);
	fprintf(stderr, "%*s", 10 - cells - (n > 0), "");
}

static void draw(const struct progress *p, double done, double total, double seconds)
{
	const char *slash = strrchr(p->path, '/'), *name = slash ? slash + 1 : p->path;
	double rate = done / seconds;
	int room = (int)terminal_columns(stderr) - 68; /* for the name, so that all is one line */

	fprintf(stderr, "\r\033[Kreading %.*s  ", room > 8 ? room : 8, name);
	if (total > 0) {
		draw_bar(done < total ? done / total : 1);
		fprintf(stderr, "  %3.0f %%  %.0f of %.0f MB", 100 * done / total, done / 1e6,
			total / 1e6);
	} else {
		fprintf(stderr, "%.0f MB", done / 1e6);
	}
	fprintf(stderr, "  %.0f MB/s", rate / 1e6);
	if (total > done && rate > 0)
		fprintf(stderr, "  %.0f s left", (total - done) / rate);
	fflush(stderr);
}

/* Called from any thread; who comes while another draws goes on. */
static void on_progress(void *ctx, uint64_t done, uint64_t total)
{
	struct progress *p = ctx;
	double t = now();

	if (t - p->start < 1 || t - p->shown < 0.1 || atomic_flag_test_and_set(&p->busy))
		return;
	draw(p, (double)done, (double)total, t - p->start);
	p->shown = t;
	atomic_flag_clear(&p->busy);
}

static bool shows_progress(void)
{
	return isatty(STDERR_FILENO) && !settings.quiet;
}

static void progress_end(const struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	stage_end("read");
}

static struct lp_trace *open_trace(const char *path, bool again, struct lp_error *err)
{
	struct progress p = { .path = path, .start = now(), .busy = ATOMIC_FLAG_INIT };
	struct lp_open_options o = { .threads = (unsigned)settings.threads,
				     .strict = settings.strict,
				     .again = again };

	if (shows_progress()) {
		o.progress = on_progress;
		o.ctx = &p;
	}
	if (!again)
		heap_for_analyses();
	struct lp_trace *tr = lp_open(path, o, err);

	progress_end(&p);
	return tr;
}

struct lp_trace *cmd_open(const char *path, struct lp_error *err)
{
	return open_trace(path, false, err);
}

struct lp_trace *cmd_open_again(const char *path, struct lp_error *err)
{
	return open_trace(path, true, err);
}

struct lp_profile *cmd_open_profile(const char *path, struct lp_profile_options o,
				    struct lp_error *err)
{
	struct progress p = { .path = path, .start = now(), .busy = ATOMIC_FLAG_INIT };

	o.threads = (unsigned)settings.threads;
	o.strict = settings.strict;
	if (shows_progress()) {
		o.progress = on_progress;
		o.ctx = &p;
	}
	struct lp_profile *profile = lp_profile_open(path, o, err);

	progress_end(&p);
	return profile;
}
