#include "base/save.h"

#include "base/gzout.h"
#include "base/str.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static ssize_t write_packed(void *cookie, const char *bytes, size_t n)
{
	gzout_write(cookie, bytes, n);
	return (ssize_t)n;
}

/* The file that a link leads to is written, not the link; what is there keeps its permissions. */
static bool open_part(struct save *s)
{
	struct stat old;
	bool exists = !stat(s->path, &old);

	if (exists && !S_ISREG(old.st_mode))
		return false;
	s->target = realpath(s->path, NULL);
	if (!s->target)
		s->target = strdup(s->path);
	if (!s->target || asprintf(&s->part, "%s.part", s->target) < 0)
		abort();
	s->file = fopen(s->part, "w");
	if (s->file && exists)
		fchmod(fileno(s->file), old.st_mode & 0777);
	return true;
}

static bool open_file(struct save *s)
{
	if (!strcmp(s->path, "-")) {
		s->file = stdout;
		return true;
	}
	if (!open_part(s))
		s->file = fopen(s->path, "w");
	return s->file != NULL;
}

bool save_open(struct save *s, const char *path, struct lp_error *err)
{
	*s = (struct save){ .path = strdup(path) };
	if (!s->path)
		abort();
	if (!open_file(s)) {
		error_set(err, "%s: cannot write: %s", path, strerror(errno));
		free(s->part);
		free(s->target);
		free(s->path);
		return false;
	}
	s->out = s->file;
	if (!str_ends(str_of(path), STR(".gz")))
		return true;
	s->gz = gzout_open(s->file, s->path, GZOUT_FAST);
	s->out = fopencookie(s->gz, "w", (cookie_io_functions_t){ .write = write_packed });
	if (!s->out)
		abort();
	return true;
}

static bool finish(struct save *s, struct lp_error *err)
{
	bool ok = true;

	if (s->gz) {
		fclose(s->out);
		ok = gzout_close(s->gz, err);
	}
	if (s->file == stdout)
		return fflush(stdout) == 0 && ok;
	bool bad = ferror(s->file) != 0;

	bad |= fclose(s->file) != 0;
	return ok && (!bad || error_set(err, "%s: cannot write: %s", s->path, strerror(errno)));
}

bool save_close(struct save *s, bool keep, struct lp_error *err)
{
	bool ok = finish(s, err) && keep;

	if (s->part && ok && rename(s->part, s->target) != 0)
		ok = error_set(err, "%s: cannot write: %s", s->path, strerror(errno));
	if (s->part && !ok)
		unlink(s->part);
	free(s->part);
	free(s->target);
	free(s->path);
	return ok;
}
