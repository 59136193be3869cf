#include "cli/output.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *volatile unfinished; /* a temporary file, for the signal handler */

static void interrupted(int signal)
{
	if (unfinished)
		unlink(unfinished);
	raise(signal); /* SA_RESETHAND: now it kills */
}

static void clean_up_when_interrupted(void)
{
	struct sigaction act = { .sa_handler = interrupted, .sa_flags = (int)SA_RESETHAND };

	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	sigaction(SIGHUP, &act, NULL);
}

static bool open_temporary(struct output *o, struct lp_error *err)
{
	if (asprintf(&o->temporary, "%s.XXXXXX", o->path) < 0)
		abort();
	int fd = mkstemp(o->temporary);
	if (fd < 0) {
		free(o->temporary);
		return fail(err, "%s: cannot create: %s", o->path, strerror(errno));
	}
	mode_t mask = umask(0);
	umask(mask);
	fchmod(fd, 0666 & ~mask);
	unfinished = o->temporary;
	clean_up_when_interrupted();
	o->file = fdopen(fd, "w");
	return true;
}

bool output_open(struct output *o, const char *path, struct lp_error *err)
{
	struct stat st;

	*o = (struct output){ .path = path };
	if (!path || !strcmp(path, "-")) {
		o->path = "standard output";
		o->file = stdout;
		return true;
	}
	if (stat(path, &st) || S_ISREG(st.st_mode))
		return open_temporary(o, err);
	o->file = fopen(path, "w");
	return o->file || fail(err, "%s: cannot open: %s", path, strerror(errno));
}

bool output_close(struct output *o, bool keep, struct lp_error *err)
{
	bool whole = keep && !fflush(o->file) && !ferror(o->file);
	int why = errno;

	if (o->file != stdout && fclose(o->file) && whole) {
		whole = false;
		why = errno;
	}
	if (o->temporary) {
		if (whole && rename(o->temporary, o->path)) {
			whole = false;
			why = errno;
		}
		if (!whole)
			unlink(o->temporary);
		unfinished = NULL;
		free(o->temporary);
	}
	return whole || (keep && fail(err, "%s: cannot write: %s", o->path, strerror(why)));
}
