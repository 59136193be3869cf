/*
 * Names of kernels have blanks, commas and equal signs; so an assignment ends where a blank or
 * the end follows a value, and all before its last equal sign is the name.
 */
#include "analysis/whatif.h"

#include <regex.h>
#include <string.h>

#define DIGITS_MAX 9

/* Digits with at most one point, as a ratio. */
static bool decimal(struct str s, int64_t *num, int64_t *den)
{
	size_t digits = 0;
	bool point = false;

	*num = 0;
	*den = 1;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '.' && !point) {
			point = true;
			continue;
		}
		if (s.p[i] < '0' || s.p[i] > '9' || ++digits > DIGITS_MAX)
			return false;
		*num = *num * 10 + (s.p[i] - '0');
		*den *= point ? 10 : 1;
	}
	return digits > 0;
}

bool whatif_speed_parse(struct str text, struct whatif_speed *out)
{
	*out = (struct whatif_speed){ 1, 1, true };
	if (str_eq(text, STR("0")) || str_eq(text, STR("inf")) || str_eq(text, STR("overlapped")))
		return true;
	if (!text.n || (text.p[text.n - 1] != 'x' && text.p[text.n - 1] != 'X'))
		return false;
	out->free = false;
	return decimal((struct str){ text.p, text.n - 1 }, &out->num, &out->den) && out->num > 0;
}

#define BIT(c) (1u << (c))

uint32_t whatif_classes(struct str name)
{
	static const struct {
		const char *name;
		uint32_t classes;
	} groups[] = {
		{ "comm", BIT(PATH_COMMUNICATION) },
		{ "copies", BIT(PATH_MEMORY) },
		{ "launch", BIT(PATH_LAUNCH_API) | BIT(PATH_LAUNCH_QUEUE) },
		{ "gpu", BIT(PATH_COMPUTE) | BIT(PATH_MEMORY) | BIT(PATH_COMMUNICATION) },
		{ "cpu", BIT(PATH_LAUNCH_API) | BIT(PATH_CPU_OP) | BIT(PATH_PYTHON) |
				 BIT(PATH_DATA_LOADING) | BIT(PATH_RUNTIME_OTHER) |
				 BIT(PATH_PROFILER_OVERHEAD) | WHATIF_OWN_SYNC },
	};
	enum path_class c = path_class_find(name);

	if (c != PATH_CLASSES)
		return BIT(c);
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		if (str_eq(name, str_of(groups[i].name)))
			return groups[i].classes;
	return 0;
}

static void mark(const struct trace *tr, event_id e, bool *used)
{
	if (e != NONE && tr->ev.name[e] != NONE)
		used[tr->ev.name[e]] = true;
}

/* The names of whatever takes or may take time in the graph. */
static bool *names_used(const struct trace *tr, const struct path_graph *g, struct arena *a)
{
	bool *used = NEW(a, tr->strings.n, bool);

	for (uint32_t i = 0; i < g->npieces; i++)
		mark(tr, g->piece[i].event, used);
	for (uint32_t i = 0; i < g->dag.n; i++)
		mark(tr, g->node[i].event, used);
	return used;
}

static void set_ids(struct whatif_target *t, const string_id *id, uint32_t n, struct arena *a)
{
	string_id *own = NEW(a, n, string_id);

	memcpy(own, id, n * sizeof(*own));
	t->id = own;
	t->nids = n;
}

/* Of the names used, those that match; false if none does, or it is no pattern. */
static bool names_matching(struct whatif_target *t, const struct trace *tr, const bool *used,
			   struct arena *a)
{
	regex_t re;
	uint32_t n = 0;

	if (regcomp(&re, t->name.p, REG_EXTENDED | REG_NOSUB))
		return false;
	string_id *id = NEW(a, tr->strings.n, string_id);
	for (string_id s = 0; s < tr->strings.n; s++)
		if (used[s] && !regexec(&re, strings_get(&tr->strings, s).p, 0, NULL, 0))
			id[n++] = s;
	regfree(&re);
	set_ids(t, id, n, a);
	return n > 0;
}

/* An exact name, else a class, else a pattern. The name ends with a NUL. */
static bool resolve(struct whatif_target *t, const struct trace *tr, const struct path_graph *g,
		    struct arena *a)
{
	bool *used = names_used(tr, g, a);
	string_id exact = strings_find(&tr->strings, t->name);

	if (exact != NONE && used[exact]) {
		set_ids(t, &exact, 1, a);
		return true;
	}
	t->classes = whatif_classes(t->name);
	return t->classes || names_matching(t, tr, used, a);
}

static struct whatif_scenario *scenario_add(struct whatif *w, struct arena *a)
{
	uint32_t n = w->nscenarios++;

	if ((n & (n - 1)) == 0) {
		struct whatif_scenario *more = NEW(a, 2 * (size_t)n + 1, struct whatif_scenario);
		if (n)
			memcpy(more, w->scenario, n * sizeof(*more));
		w->scenario = more;
	}
	w->scenario[n].first = w->scenario[n].past = w->ntargets;
	return &w->scenario[n];
}

static struct whatif_target *target_add(struct whatif *w, struct whatif_scenario *s,
					struct arena *a)
{
	uint32_t n = w->ntargets++;

	if ((n & (n - 1)) == 0) {
		struct whatif_target *more = NEW(a, 2 * (size_t)n + 1, struct whatif_target);
		if (n)
			memcpy(more, w->target, n * sizeof(*more));
		w->target = more;
	}
	w->target[n].scenario = w->nscenarios - 1;
	s->past = w->ntargets;
	return &w->target[n];
}

/* Where the first assignment of `text` ends; 0 if there is none. Its value begins at `*value`. */
static size_t assignment_end(struct str text, size_t *value)
{
	struct whatif_speed speed;

	for (size_t eq = 1; eq < text.n; eq++) {
		size_t end = eq + 1;
		if (text.p[eq] != '=')
			continue;
		while (end < text.n && text.p[end] != ' ')
			end++;
		if (whatif_speed_parse((struct str){ text.p + eq + 1, end - eq - 1 }, &speed)) {
			*value = eq + 1;
			return end;
		}
	}
	return 0;
}

bool whatif_parse(struct whatif *w, const char *text, const struct trace *tr,
		  const struct path_graph *g, struct arena *a, struct lp_error *err)
{
	struct whatif_scenario *s = scenario_add(w, a);
	struct str rest = str_of(text);

	s->text = arena_text(a, text, strlen(text));
	while (rest.n) {
		size_t value, end;
		if (rest.p[0] == ' ') {
			rest = (struct str){ rest.p + 1, rest.n - 1 };
			continue;
		}
		end = assignment_end(rest, &value);
		if (!end)
			return error_set(err,
					 "what-if '%s': expected NAME=2x, NAME=0 or NAME=inf at "
					 "'%.*s'",
					 text, STR_ARGS(rest));
		struct whatif_target *t = target_add(w, s, a);
		t->name = (struct str){ arena_text(a, rest.p, value - 1), value - 1 };
		whatif_speed_parse((struct str){ rest.p + value, end - value }, &t->speed);
		s->target = t->name.p;
		s->factor = arena_text(a, rest.p + value, end - value);
		if (!resolve(t, tr, g, a))
			return error_set(err,
					 "what-if '%s': '%s' is no name of an event, no class and "
					 "no pattern that fits a name",
					 text, t->name.p);
		rest = (struct str){ rest.p + end, rest.n - end };
	}
	if (s->past == s->first)
		return error_set(err, "what-if: expected NAME=2x, NAME=0 or NAME=inf");
	if (s->past - s->first > WHATIF_TOGETHER)
		return error_set(err, "what-if '%s': more than %d changes at once", text,
				 WHATIF_TOGETHER);
	if (s->past > s->first + 1) {
		s->target = s->text;
		s->factor = NULL;
	}
	return true;
}

void whatif_add_name(struct whatif *w, const struct trace *tr, string_id name, const char *factor,
		     struct arena *a)
{
	whatif_add_classes(w, strings_get(&tr->strings, name).p, 0, factor, a);
	set_ids(&w->target[w->ntargets - 1], &name, 1, a);
}

void whatif_add_classes(struct whatif *w, const char *name, uint32_t classes, const char *factor,
			struct arena *a)
{
	struct whatif_scenario *s = scenario_add(w, a);
	struct whatif_target *t = target_add(w, s, a);

	t->name = str_of(name);
	t->classes = classes;
	whatif_speed_parse(str_of(factor), &t->speed);
	s->text = s->target = name;
	s->factor = factor;
}
