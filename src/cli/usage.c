#include "cli/usage.h"
#include "cli/opt.h"
#include "cli/settings.h"

#include <string.h>
#include <sys/stat.h>

static const char *const *inputs;

/* ---- options that change nothing ---- */

/* Of the options that a command may have no use for: all of them start as NULL or -1. */
static bool is_given(const struct opt *o)
{
	switch (o->type) {
	case OPT_STRING:
		return *(const char **)o->value != NULL;
	case OPT_INT:
		return *(int64_t *)o->value >= 0;
	case OPT_CHOICE:
		return *(int *)o->value >= 0;
	default:
		return false;
	}
}

static bool is_listed(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = list; *p; p += strcspn(p, " "), p += strspn(p, " "))
		if (strcspn(p, " ") == n && !memcmp(p, name, n))
			return true;
	return false;
}

static bool all_options_count(const struct command *c, struct lp_error *err)
{
	for (const struct opt *o = common_opts; c->unused && o->type != OPT_END; o++)
		if (is_listed(c->unused, o->name) && is_given(o))
			return fail(err, "--%s is not for %s: it %s", o->name, c->name,
				    strcmp(o->name, "window") ? "would change nothing"
							      : "looks at whole traces");
	return true;
}

/* ---- files ---- */

static bool can_be_read(const char *const *operands, struct lp_error *err)
{
	unsigned piped = 0;

	for (; *operands; operands++) {
		if (!**operands)
			return fail(err, "'' is no name of a file");
		piped += !strcmp(*operands, "-");
	}
	return piped < 2 || fail(err, "-: standard input can be read once, not %u times", piped);
}

/* Writing to a terminal or a pipe harms no input. */
static bool holds_data(const struct stat *st)
{
	return S_ISREG(st->st_mode) || S_ISDIR(st->st_mode);
}

bool usage_spares_inputs(const char *path, struct lp_error *err)
{
	struct stat out, in;

	if (!path || stat(path, &out) || !holds_data(&out))
		return true;
	for (const char *const *p = inputs; p && *p; p++)
		if (!stat(*p, &in) && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
			return fail(err,
				    "%s: would be written over, but is what is read; "
				    "give the output another name",
				    path);
	return true;
}

bool usage_check(const struct command *c, const char *const *operands, struct lp_error *err)
{
	inputs = operands;
	if (settings.output && !*settings.output)
		return fail(err, "--output needs a name, not ''");
	return all_options_count(c, err) && can_be_read(operands, err) &&
	       usage_spares_inputs(settings.output, err);
}
