/*
 * A name has three forms: bare (no return type, parameters, anonymous namespaces,
 * template arguments, addresses), typed (with template arguments) and whole. Each
 * starts with the bare one; names whose forms are alike go one form up together.
 *
 * To fit, the middle of a form goes:   head…tail
 * Where that makes different forms alike, they are sorted among themselves and each
 * shows the place from where it differs from its neighbours:   head…differs_here…
 * What is still alike gets a number: head…tail#2
 */
#include "base/shortname.h"
#include "base/intern.h"

#include <stdlib.h>

enum form { BARE, TYPED, WHOLE };

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* ---- from C++ to something readable ---- */

/* Where the parenthesis closed by the last byte of `s` opens; 0 if nowhere. */
static size_t opening(struct str s)
{
	unsigned depth = 0;

	for (size_t i = s.n; i--;) {
		depth += s.p[i] == ')';
		if (s.p[i] == '(' && !--depth)
			return i;
	}
	return 0;
}

static bool has_byte_of(struct str s, const char *set)
{
	for (size_t i = 0; i < s.n; i++)
		if (strchr(set, s.p[i]))
			return true;
	return false;
}

/* "f(float*, int)", but not "Memcpy HtoD (Pinned -> Device)", "step(3)" or "a.py(7)". */
static struct str without_parameters(struct str s)
{
	size_t open = s.n && s.p[s.n - 1] == ')' ? opening(s) : 0;

	if (!open || !(is_word(s.p[open - 1]) || s.p[open - 1] == '>' || s.p[open - 1] == ')'))
		return s;
	struct str inside = { s.p + open + 1, s.n - open - 2 }, head = { s.p, open };
	int64_t number;
	bool cxx = !inside.n || str_contains(head, STR("::")) || has_byte_of(inside, "*&<") ||
		   head.p[head.n - 1] == '>';
	bool other = str_i64(inside, &number) || str_ends(head, STR(".py")) ||
		     str_ends(head, STR("operator"));
	return cxx && !other ? head : s;
}

/* Length of what may be left out at the start of `s`: an anonymous namespace. */
static size_t anonymous(struct str s)
{
	static const struct str spellings[] = { STR("(anonymous namespace)::"), STR("<unnamed>::"),
						STR("{anonymous}::") };

	for (size_t i = 0; i < ARRAY_SIZE(spellings); i++)
		if (str_starts(s, spellings[i]))
			return spellings[i].n;
	return 0;
}

/* Length of the template arguments at the start of `s`, "<" and ">" included; 0 if none. */
static size_t template_arguments(struct str s)
{
	unsigned depth = 0;

	for (size_t i = 0; i < s.n; i++) {
		depth += s.p[i] == '<';
		if (s.p[i] == '>' && s.p[i - 1] != '-' && !--depth)
			return i + 1;
	}
	return 0;
}

/* Length of the hexadecimal digits at the start of `s`. */
static size_t hex_digits(struct str s)
{
	size_t n = 0;

	while (n < s.n && strchr("0123456789abcdefABCDEF", s.p[n]) && s.p[n])
		n++;
	return n;
}

/* Bytes of `s` at `i` that `form` leaves out, and in `*instead` what stands for them. */
static size_t leave_out(struct str s, size_t i, enum form form, const char **instead)
{
	struct str rest = { s.p + i, s.n - i };
	size_t n = 0;

	*instead = "";
	if (rest.p[0] == '(' || rest.p[0] == '{' || rest.p[0] == '<')
		n = anonymous(rest);
	if (!n && rest.p[0] == '<' && form == BARE && i && is_word(s.p[i - 1]) &&
	    !str_ends((struct str){ s.p, i }, STR("operator"))) {
		n = template_arguments(rest);
		n = n > 4 ? n : 0; /* "<4>" is as short as it gets */
		*instead = "<…>";
	}
	if (!n && str_starts(rest, STR("0x"))) {
		n = hex_digits((struct str){ rest.p + 2, rest.n - 2 });
		n = n >= 6 ? n + 2 : 0;
		*instead = "0x…";
	}
	return n;
}

static const char *simplify(struct arena *a, struct str s, enum form form, enum utf8_for reader)
{
	if (form == WHOLE || str_contains(s, STR(".py(")))
		return utf8_safe(a, s, reader);
	if (str_starts(s, STR("void ")))
		s = (struct str){ s.p + 5, s.n - 5 };
	s = without_parameters(s);
	char *text = arena_alloc(a, 2 * s.n + 1), *end = text; /* "<…>" is longer than "<>" */
	for (size_t i = 0; i < s.n;) {
		const char *instead;
		size_t gone = leave_out(s, i, form, &instead);

		if (gone)
			end += strlen(strcpy(end, instead));
		else
			*end++ = s.p[i++];
		i += gone;
	}
	return utf8_safe(a, (struct str){ text, (size_t)(end - text) }, reader);
}

/* ---- cutting ---- */

static const char *dots(enum utf8_for reader)
{
	return reader == UTF8_ASCII ? "..." : "…";
}

const char *shortname_cut(struct arena *a, const char *form, unsigned columns, enum utf8_for reader)
{
	unsigned room = columns - utf8_columns(dots(reader));

	if (utf8_columns(form) <= columns)
		return form;
	return arena_print(a, "%.*s%s%s", (int)utf8_head(form, room - room / 2), form, dots(reader),
			   form + strlen(form) - utf8_tail(form, room / 2));
}

/* Shows the start, and the text from the word that holds byte `differs` on. */
static const char *cut_around(struct arena *a, const char *form, size_t differs, unsigned columns,
			      enum utf8_for reader)
{
	unsigned gap = utf8_columns(dots(reader)), third = (columns - 2 * gap) / 3;
	size_t head = utf8_head(form, third), from = differs;

	if (differs < utf8_head(form, columns - gap))
		return arena_print(a, "%.*s%s", (int)utf8_head(form, columns - gap), form,
				   dots(reader));
	while (from > head && from + third > differs && is_word(form[from - 1]))
		from--;
	while (from && ((unsigned char)form[from] & 0xc0) == 0x80)
		from--;
	unsigned room = columns - gap - utf8_columns(arena_text(a, form, head));
	if (utf8_columns(form + from) <= room)
		return arena_print(a, "%.*s%s%s", (int)head, form, dots(reader), form + from);
	return arena_print(a, "%.*s%s%.*s%s", (int)head, form, dots(reader),
			   (int)utf8_head(form + from, room - gap), form + from, dots(reader));
}

const char *shortname(struct arena *a, const char *name, unsigned columns, enum utf8_for reader)
{
	return shortname_cut(a, simplify(a, str_of(name), BARE, reader), columns, reader);
}

/* ---- many at once ---- */

/* The distinct texts of a list, and for each a current shape. */
struct shapes {
	struct strings texts;
	string_id *of; /* item of the list -> text, NONE for NULL */
	const char **shape;
};

static struct shapes shapes_of(struct arena *a, const char *const *texts, uint32_t n)
{
	struct shapes s = { .of = NEW(a, n, string_id) };

	for (uint32_t i = 0; i < n; i++)
		s.of[i] = texts[i] ? strings_add(&s.texts, texts[i], strlen(texts[i])) : NONE;
	s.shape = NEW(a, s.texts.n, const char *);
	for (uint32_t i = 0; i < n; i++)
		if (texts[i])
			s.shape[s.of[i]] = texts[i];
	return s;
}

/* Groups the texts whose shapes look alike: returns how many members each one's group has. */
static uint32_t *crowd(struct arena *a, const struct shapes *s, string_id *group)
{
	struct strings looks = { 0 };
	uint32_t *members = NEW(a, s->texts.n, uint32_t);

	for (uint32_t i = 0; i < s->texts.n; i++) {
		group[i] = strings_add(&looks, s->shape[i], strlen(s->shape[i]));
		members[group[i]]++;
	}
	strings_free(&looks);
	return members;
}

/* Whatever still looks like an earlier one gets a number at its end. */
static void number_the_rest(struct arena *a, struct shapes *s, unsigned columns,
			    enum utf8_for reader)
{
	struct strings looks = { 0 };
	unsigned *last = NEW(a, 2 * s->texts.n, unsigned); /* number given to that look */

	for (uint32_t i = 0; i < s->texts.n; i++) {
		const char *shape = s->shape[i];
		string_id same = strings_find(&looks, str_of(shape));

		while (same != NONE && strings_find(&looks, str_of(shape)) != NONE) {
			const char *tag = arena_print(a, "#%u", ++last[same] + 1);
			unsigned room = columns - (unsigned)strlen(tag);

			shape = arena_print(a, "%s%s", shortname_cut(a, s->shape[i], room, reader),
					    tag);
		}
		strings_add(&looks, shape, strlen(shape));
		s->shape[i] = shape;
	}
	strings_free(&looks);
}

static void shapes_out(struct shapes *s, const char **out, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		out[i] = s->of[i] == NONE ? NULL : s->shape[s->of[i]];
	strings_free(&s->texts);
}

void shortname_all(struct arena *a, const char *const *names, const char **out, uint32_t n,
		   enum utf8_for reader)
{
	struct shapes s = shapes_of(a, names, n);
	string_id *group = NEW(a, s.texts.n, string_id);

	for (uint32_t i = 0; i < s.texts.n; i++)
		s.shape[i] = simplify(a, strings_get(&s.texts, i), BARE, reader);
	for (enum form form = TYPED; form <= WHOLE; form++) {
		const uint32_t *members = crowd(a, &s, group);

		for (uint32_t i = 0; i < s.texts.n; i++)
			if (members[group[i]] > 1)
				s.shape[i] = simplify(a, strings_get(&s.texts, i), form, reader);
	}
	number_the_rest(a, &s, UINT32_MAX / 2, reader);
	shapes_out(&s, out, n);
}

struct order {
	const struct shapes *shapes;
	const string_id *group;
};

static int by_group_then_text(const void *pa, const void *pb, void *ctx)
{
	const struct order *o = ctx;
	string_id x = *(const string_id *)pa, y = *(const string_id *)pb;

	if (o->group[x] != o->group[y])
		return o->group[x] < o->group[y] ? -1 : 1;
	return str_cmp(strings_get(&o->shapes->texts, x), strings_get(&o->shapes->texts, y));
}

static size_t common_head(struct str a, struct str b)
{
	size_t n = 0;

	while (n < a.n && n < b.n && a.p[n] == b.p[n])
		n++;
	return n;
}

/* Reshapes the texts of each group with several members around what tells them apart. */
static void tell_apart(struct arena *a, struct shapes *s, unsigned columns, enum utf8_for reader)
{
	string_id *group = NEW(a, s->texts.n, string_id), *list = NEW(a, s->texts.n, string_id);
	const uint32_t *members = crowd(a, s, group);
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->texts.n; i++)
		if (members[group[i]] > 1)
			list[n++] = i;
	qsort_r(list, n, sizeof(*list), by_group_then_text, &(struct order){ s, group });
	for (uint32_t i = 0; i < n; i++) {
		struct str me = strings_get(&s->texts, list[i]);
		size_t differs = 0;

		for (uint32_t k = i ? i - 1 : 0; k <= i + 1 && k < n; k++)
			if (k != i && group[list[k]] == group[list[i]])
				differs = MAX_OF(differs,
						 common_head(me, strings_get(&s->texts, list[k])));
		s->shape[list[i]] = cut_around(a, me.p, differs, columns, reader);
	}
}

void shortname_fit(struct arena *a, const char *const *forms, const char **out, uint32_t n,
		   unsigned columns, enum utf8_for reader)
{
	struct shapes s = shapes_of(a, forms, n);

	for (uint32_t i = 0; i < s.texts.n; i++)
		s.shape[i] = shortname_cut(a, s.shape[i], columns, reader);
	tell_apart(a, &s, columns, reader);
	number_the_rest(a, &s, columns, reader);
	shapes_out(&s, out, n);
}
