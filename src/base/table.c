/*
 * Everything is allocated from the arena of the answer, the lists too: they are
 * short, and grow by doubling into fresh memory.
 */
#include "base/table.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

struct answer {
	struct lp_answer pub; /* first: a struct lp_answer * is a struct answer * */
	struct arena arena;
	struct answer *adopted; /* the answers whose tables are among these; a list */
};

struct table {
	struct lp_table pub; /* first, likewise */
	struct lp_answer *owner;
};

struct lp_answer *answer_new(void)
{
	struct answer *a = alloc_checked(calloc(1, sizeof(*a)));
	return &a->pub;
}

struct arena *answer_arena(struct lp_answer *a)
{
	return &((struct answer *)a)->arena;
}

void lp_answer_free(struct lp_answer *a)
{
	if (!a)
		return;
	for (struct answer *i = (struct answer *)a, *next; i; i = next) {
		struct arena arena = i->arena;

		next = i->adopted;
		free(i);
		arena_free(&arena);
	}
}

/* A copy of `list`, of `n` items, with room for one more: only when n is 0 or a power of two. */
static void *with_room(struct arena *a, const void *list, size_t n, size_t size)
{
	if (n & (n - 1))
		return (void *)(uintptr_t)list;
	void *room = arena_array(a, 2 * n + 2, size);
	if (n)
		memcpy(room, list, n * size);
	return room;
}

struct lp_table *answer_table(struct lp_answer *a, const char *name, uint32_t nrows)
{
	struct arena *arena = answer_arena(a);
	struct table *t = NEW(arena, 1, struct table);
	struct lp_table **tables = with_room(arena, a->tables, a->ntables, sizeof(*tables));

	t->pub.name = name;
	t->pub.nrows = nrows;
	t->owner = a;
	tables[a->ntables++] = &t->pub;
	a->tables = tables;
	return &t->pub;
}

const struct lp_table *lp_answer_table(const struct lp_answer *a, const char *name)
{
	for (uint32_t i = 0; i < a->ntables; i++)
		if (!strcmp(a->tables[i]->name, name))
			return a->tables[i];
	return NULL;
}

/* The list ends with NULL; with_room's zeroed spare items keep it so. */
static const char *const *append(struct arena *a, const char *const *list, const char *line)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	const char **more = NEW(a, n + 2, const char *);
	if (n)
		memcpy(more, list, n * sizeof(*more));
	more[n] = line;
	return more;
}

static char *print(struct arena *a, const char *fmt, va_list ap)
{
	va_list again;

	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	char *text = arena_alloc(a, (size_t)n + 1);
	vsnprintf(text, (size_t)n + 1, fmt, ap);
	return text;
}

void answer_headline(struct lp_answer *a, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	a->headline = print(answer_arena(a), fmt, ap);
	va_end(ap);
}

void answer_doubt(struct lp_answer *a, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	a->doubts = append(answer_arena(a), a->doubts, print(answer_arena(a), fmt, ap));
	va_end(ap);
}

/* "968 events have no launch" or "968 events have no launch: what that means here". */
static size_t fact(const char *doubt)
{
	const char *colon = strrchr(doubt, ':');

	return colon ? (size_t)(colon - doubt) : strlen(doubt);
}

/* Answers about one trace have doubts in common: each fact once, as the first has it. */
static void answer_doubt_once(struct lp_answer *a, const char *doubt)
{
	for (uint32_t i = 0; a->doubts && a->doubts[i]; i++)
		if (fact(a->doubts[i]) == fact(doubt) && !strncmp(a->doubts[i], doubt, fact(doubt)))
			return;
	answer_doubt(a, "%s", doubt);
}

static void add_table(struct lp_answer *a, struct lp_table *t)
{
	struct lp_table **tables = with_room(answer_arena(a), a->tables, a->ntables,
					     sizeof(*tables));

	tables[a->ntables++] = t;
	a->tables = tables;
}

void answer_adopt(struct lp_answer *a, struct lp_answer *other)
{
	struct answer *last = (struct answer *)other;

	for (uint32_t i = 0; i < other->ntables; i++)
		add_table(a, other->tables[i]);
	for (uint32_t i = 0; other->doubts && other->doubts[i]; i++)
		answer_doubt_once(a, other->doubts[i]);
	while (last->adopted)
		last = last->adopted;
	last->adopted = ((struct answer *)a)->adopted;
	((struct answer *)a)->adopted = (struct answer *)other;
}

void answer_next(struct lp_answer *a, const char *purpose, const char *command_fmt, ...)
{
	struct arena *arena = answer_arena(a);
	va_list ap;

	va_start(ap, command_fmt);
	const char *command = print(arena, command_fmt, ap);
	va_end(ap);
	a->next = append(arena, a->next, arena_print(arena, "%s\t%s", command, purpose));
}

void table_footer(struct lp_table *t, const char *fmt, ...)
{
	struct arena *arena = answer_arena(((struct table *)t)->owner);
	va_list ap;

	va_start(ap, fmt);
	t->footer = append(arena, t->footer, print(arena, fmt, ap));
	va_end(ap);
}

static void add(struct lp_table *t, struct lp_column c)
{
	struct arena *arena = answer_arena(((struct table *)t)->owner);
	struct lp_column *cols = with_room(arena, t->cols, t->ncols, sizeof(c));

	cols[t->ncols++] = c;
	t->cols = cols;
}

void table_i64(struct lp_table *t, const char *name, const char *title, enum lp_unit u,
	       unsigned flags, const int64_t *data, const char *help)
{
	add(t, (struct lp_column){ name, title, help, LP_I64, u, flags, { .i64 = data } });
}

void table_bool(struct lp_table *t, const char *name, const char *title, unsigned flags,
		const int64_t *data, const char *help)
{
	add(t, (struct lp_column){ name, title, help, LP_BOOL, LP_PLAIN, flags, { .i64 = data } });
}

void table_f64(struct lp_table *t, const char *name, const char *title, enum lp_unit u,
	       unsigned flags, const double *data, const char *help)
{
	add(t, (struct lp_column){ name, title, help, LP_F64, u, flags, { .f64 = data } });
}

void table_str(struct lp_table *t, const char *name, const char *title, unsigned flags,
	       const char *const *data, const char *help)
{
	add(t, (struct lp_column){ name, title, help, LP_STR, LP_PLAIN, flags, { .str = data } });
}
