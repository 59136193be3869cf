#include "cli/opt.h"
#include "cli/settings.h"
#include "cli/suggest.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool fail(struct lp_error *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	char *text = NULL;
	int made = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (made < 0)
		abort();
	size_t n = (size_t)made, most = sizeof(err->text) - 1, cut = n > most ? n - most + 4 : 0;
	/* what does not fit is the start of a long path, not the reason behind it */
	snprintf(err->text, sizeof(err->text), "%s%s", cut ? "... " : "", text + cut);
	free(text);
	return false;
}

/* ---- looking an option up ---- */

struct known {
	const struct opt *sets[2];
};

static const struct opt *by_letter(const struct known *k, char letter)
{
	for (int s = 0; s < 2; s++)
		for (const struct opt *o = k->sets[s]; o && o->type != OPT_END; o++)
			if (o->letter == letter)
				return o;
	return NULL;
}

static const struct opt *by_name(const struct known *k, const char *name, size_t n)
{
	for (int s = 0; s < 2; s++)
		for (const struct opt *o = k->sets[s]; o && o->type != OPT_END; o++)
			if (o->name && strlen(o->name) == n && !memcmp(o->name, name, n))
				return o;
	return NULL;
}

static bool unknown(const struct known *k, const char *given, size_t n, struct lp_error *err)
{
	char typed[64];
	struct suggest s = { .typed = typed };

	snprintf(typed, sizeof(typed), "%.*s", (int)n, given);
	for (int set = 0; set < 2; set++)
		for (const struct opt *o = k->sets[set]; o && o->type != OPT_END; o++)
			if (o->name && o->help)
				suggest_offer(&s, o->name);
	if (s.best)
		return fail(err, "unknown option '--%s'; did you mean '--%s'?", typed, s.best);
	return fail(err, "unknown option '--%s' (--help lists all)", typed);
}

/* ---- storing a value ---- */

static bool store_int(const struct opt *o, const char *text, struct lp_error *err)
{
	char *end;

	errno = 0;
	long long v = strtoll(text, &end, 10);
	if (!*text || *end || errno)
		return fail(err, "--%s needs a whole number, not '%s'", o->name, text);
	*(int64_t *)o->value = v;
	return true;
}

static bool store_choice(const struct opt *o, const char *text, struct lp_error *err)
{
	size_t n = strlen(text);
	int i = 0;

	for (const char *p = o->arg; *p; p += *p == '|', i++) {
		size_t len = strcspn(p, "|");
		if (len == n && !memcmp(p, text, n)) {
			*(int *)o->value = i;
			return true;
		}
		p += len;
	}
	return fail(err, "--%s is one of %s, not '%s'", o->name, o->arg, text);
}

static bool store_item(const struct opt *o, const char *text)
{
	struct opt_list *list = o->value;
	const char **more = realloc(list->at, (list->n + 1) * sizeof(*more));
	const char **name = realloc(list->name, (list->n + 1) * sizeof(*name));

	if (!more || !name)
		abort();
	more[list->n] = text;
	name[list->n++] = o->name;
	list->at = more;
	list->name = name;
	return true;
}

static bool store(const struct opt *o, const char *text, struct lp_error *err)
{
	switch (o->type) {
	case OPT_FLAG:
		*(bool *)o->value = true;
		return true;
	case OPT_INT:
		return store_int(o, text, err);
	case OPT_STRING:
		locale_needed(); /* it may be an expression */
		*(const char **)o->value = text;
		return true;
	case OPT_LIST:
		locale_needed();
		return store_item(o, text);
	case OPT_CHOICE:
		return store_choice(o, text, err);
	case OPT_END:
		break;
	}
	return false;
}

/* ---- reading argv ---- */

/* Both store what stands at **at and move *at to the last word used. */
static bool read_long(char ***at, const struct known *k, struct lp_error *err)
{
	const char *name = **at + 2, *equals = strchr(name, '=');
	size_t n = equals ? (size_t)(equals - name) : strlen(name);
	const struct opt *o = by_name(k, name, n);

	if (!o)
		return unknown(k, name, n, err);
	if (o->type == OPT_FLAG && equals)
		return fail(err, "--%s takes no value", o->name);
	if (o->type == OPT_FLAG || equals)
		return store(o, equals ? equals + 1 : NULL, err);
	if (!(*at)[1])
		return fail(err, "--%s needs a value: %s", o->name, o->arg);
	return store(o, *++*at, err);
}

static bool read_letters(char ***at, const struct known *k, struct lp_error *err)
{
	for (const char *p = **at + 1; *p; p++) {
		const struct opt *o = by_letter(k, *p);

		if (!o)
			return fail(err, "unknown option '-%c' (--help lists all)", *p);
		if (o->type == OPT_FLAG) {
			store(o, NULL, err);
			continue;
		}
		if (p[1])
			return store(o, p + 1, err);
		if (!(*at)[1])
			return fail(err, "-%c needs a value: %s", *p, o->arg);
		return store(o, *++*at, err);
	}
	return true;
}

static bool is_option(const char *word)
{
	return word[0] == '-' && word[1];
}

bool opt_parse(char **argv, const struct opt *own, const struct opt *common, struct lp_error *err)
{
	struct known k = { { own, common } };
	char **kept = argv;

	for (char **at = argv + 1; *at; at++) {
		if (!strcmp(*at, "--")) {
			while (*++at)
				*kept++ = *at;
			break;
		}
		if (!is_option(*at))
			*kept++ = *at;
		else if (!((*at)[1] == '-' ? read_long(&at, &k, err) : read_letters(&at, &k, err)))
			return false;
	}
	*kept = NULL;
	return true;
}

/* Whether the option takes the next word as its value. */
static bool takes_next(const char *word, const struct known *k)
{
	if (word[1] == '-') {
		const struct opt *o = by_name(k, word + 2, strlen(word + 2));
		return o && o->type != OPT_FLAG;
	}
	for (const char *p = word + 1; *p; p++) {
		const struct opt *o = by_letter(k, *p);
		if (o && o->type != OPT_FLAG)
			return !p[1];
	}
	return false;
}

int opt_first_operand(char **argv, const struct opt *common)
{
	struct known k = { { common, NULL } };

	for (int i = 1; argv[i]; i++) {
		if (!strcmp(argv[i], "--"))
			return argv[i + 1] ? i + 1 : 0;
		if (!is_option(argv[i]))
			return i;
		if (takes_next(argv[i], &k) && argv[i + 1])
			i++;
	}
	return 0;
}

bool opt_count(const struct command *c, char **operands, struct lp_error *err)
{
	unsigned least = 0, most = 0, n = 0;

	for (const char *p = c->args; *p; p += strcspn(p, " "), p += strspn(p, " ")) {
		size_t len = strcspn(p, " ");
		most = len > 3 && !memcmp(p + len - 3, "...", 3) ? -1u : most + 1;
		least += *p != '[';
	}
	while (operands[n])
		n++;
	if (n < least)
		return fail(err, "%s%sneeds %s; see: longpole help%s%s", c->name,
			    *c->name ? " " : "", c->args, *c->name ? " " : "", c->name);
	if (n > most)
		return fail(err, "%s takes %s and no more: what is '%s'?",
			    *c->name ? c->name : "longpole", c->args, operands[most]);
	return true;
}
