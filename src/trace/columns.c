#include "trace/columns.h"

#include "base/column.h"

#include <stdlib.h>

struct columns {
#define X(type, name, doc) struct column name;
	EVENT_COLUMNS(X)
#undef X
	struct column arg_key, arg_value, wide;
	struct column args_base, place_base;
};

struct columns *columns_new(void)
{
	struct columns *c = calloc(1, sizeof(*c));

	if (!c)
		arena_exhausted(sizeof(*c));
	return c;
}

void columns_reserve_rows(struct trace *tr, size_t n)
{
#define X(type, name, doc)                                          \
	column_reserve(&tr->columns->name, (n + 1) * sizeof(type)); \
	tr->ev.name = tr->columns->name.at;
	EVENT_COLUMNS(X)
#undef X
}

void columns_reserve_args(struct trace *tr, size_t nargs, size_t nwide)
{
	struct columns *c = tr->columns;

	column_reserve(&c->arg_key, (nargs + 1) * sizeof(uint16_t));
	column_reserve(&c->arg_value, (nargs + 1) * sizeof(uint32_t));
	column_reserve(&c->wide, (nwide + 1) * sizeof(int64_t));
	tr->args.key = c->arg_key.at;
	tr->args.value = c->arg_value.at;
	tr->args.wide = c->wide.at;
}

void columns_reserve_blocks(struct trace *tr, size_t n)
{
	struct columns *c = tr->columns;

	column_reserve(&c->args_base, n * sizeof(uint64_t));
	column_reserve(&c->place_base, n * sizeof(uint64_t));
	tr->args.base = c->args_base.at;
	tr->place_base = c->place_base.at;
}

void columns_trim(struct trace *tr)
{
	struct columns *c = tr->columns;
	size_t n = (size_t)tr->ev.n + 1;

#define X(type, name, doc) column_trim(&c->name, n * sizeof(type));
	EVENT_COLUMNS(X)
#undef X
	column_trim(&c->arg_key, (tr->args.n + 1) * sizeof(uint16_t));
	column_trim(&c->arg_value, (tr->args.n + 1) * sizeof(uint32_t));
	column_trim(&c->wide, (tr->args.nwide + 1) * sizeof(int64_t));
}

void columns_free(struct columns *c)
{
	if (!c)
		return;
#define X(type, name, doc) column_free(&c->name);
	EVENT_COLUMNS(X)
#undef X
	column_free(&c->arg_key);
	column_free(&c->arg_value);
	column_free(&c->wide);
	column_free(&c->args_base);
	column_free(&c->place_base);
	free(c);
}
