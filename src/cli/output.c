#include "cli/output.h"

#include <errno.h>
#include <limits.h>
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

static mode_t mode_of_new_files(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

static bool cannot_create(struct output *o, struct lp_error *err)
{
	fail(err, "%s: cannot create: %s", o->path, strerror(errno));
	free(o->target);
	return false;
}

/* Beside the target, by a name of its own: the target's may be as long as names can be. */
static bool open_temporary(struct output *o, const struct stat *old, struct lp_error *err)
{
	const char *slash = strrchr(o->target, '/');
	int folder = slash ? (int)(slash - o->target) + 1 : 0;

	if (strlen(o->target + folder) > NAME_MAX) {
		errno = ENAMETOOLONG;
		return cannot_create(o, err);
	}
	if (asprintf(&o->temporary, "%.*s.longpole-XXXXXX", folder, o->target) < 0)
		abort();
	int fd = mkstemp(o->temporary);
	if (fd < 0) {
		free(o->temporary);
		return cannot_create(o, err);
	}
	fchmod(fd, old ? old->st_mode & 0777 : mode_of_new_files());
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
	bool exists = !stat(path, &st);
	if (!exists || S_ISREG(st.st_mode)) {
		char *real = realpath(path, NULL); /* where a link leads: the link stays one */
		o->target = real ? real : strdup(path);
		if (!o->target)
			abort();
		return open_temporary(o, exists ? &st : NULL, err);
	}
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
		if (whole && rename(o->temporary, o->target)) {
			whole = false;
			why = errno;
		}
		if (!whole)
			unlink(o->temporary);
		unfinished = NULL;
		free(o->temporary);
		free(o->target);
	}
	return whole || (keep && fail(err, "%s: cannot write: %s", o->path, strerror(why)));
}
