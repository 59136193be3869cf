#include "profile/profile_table.h"

static struct table_column *column_of(struct table_column *cols, size_t n, struct str key)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq(key, str_of(cols[i].key)))
			return &cols[i];
	return NULL;
}

static bool read_column(struct jstream *js, struct table_column *c)
{
	c->seen = true;
	switch (c->kind) {
	case TABLE_IDS:
		return jstream_ids(js, c->out);
	case TABLE_NARROW:
		return jstream_narrow(js, c->out);
	case TABLE_COUNTS:
		return jstream_counts(js, c->out);
	case TABLE_DECIMALS:
		return jstream_decimals(js, c->out);
	default:
		return jstream_fixed(js, c->out);
	}
}

static bool read_schema(struct jstream *js, struct table_column *cols, size_t n)
{
	struct str key;

	jstream_object(js);
	while (jstream_key(js, &key)) {
		struct table_column *c = column_of(cols, n, key);

		if (c) {
			c->by_row = true;
			c->seen = c->kind != TABLE_COUNTS;
			jstream_i64(js, &c->at);
		} else {
			jstream_skip(js);
		}
	}
	return jstream_ok(js);
}

static struct table_column *column_at(struct table_column *cols, size_t n, int64_t at)
{
	for (size_t i = 0; i < n; i++)
		if (cols[i].at == at && cols[i].seen)
			return &cols[i];
	return NULL;
}

/* Counts have no rows: they are only given to columns. */
static size_t length_of(const struct table_column *c)
{
	return c->kind == TABLE_IDS      ? ((const struct jstream_ids *)c->out)->n
	       : c->kind == TABLE_NARROW ? ((const struct narrow *)c->out)->n
					 : ((const struct jstream_decimals *)c->out)->n;
}

/* Rows may be shorter than the schema: what is missing is none. */
static void complete_row(struct table_column *cols, size_t n, size_t nrows)
{
	for (size_t i = 0; i < n; i++) {
		if (!cols[i].seen || length_of(&cols[i]) == nrows)
			continue;
		if (cols[i].kind == TABLE_IDS)
			jstream_push_id(cols[i].out, NONE);
		else if (cols[i].kind == TABLE_NARROW)
			narrow_extend(cols[i].out, nrows);
		else
			jstream_push_decimal(cols[i].out, 0);
	}
}

static bool read_cell(struct jstream *js, struct table_column *c)
{
	switch (c->kind) {
	case TABLE_IDS:
		return jstream_one_id(js, c->out);
	case TABLE_NARROW:
		return jstream_one_narrow(js, c->out);
	case TABLE_DECIMALS:
		return jstream_one_decimal(js, c->out);
	default:
		return jstream_one_fixed(js, c->out);
	}
}

static bool read_rows(struct jstream *js, struct table_column *cols, size_t n)
{
	size_t nrows = 0;

	jstream_array(js);
	for (; jstream_item(js); nrows++) {
		int64_t at = 0;

		jstream_array(js);
		for (; jstream_item(js); at++) {
			struct table_column *c = column_at(cols, n, at);

			if (c && length_of(c) == nrows)
				read_cell(js, c);
			else
				jstream_skip(js);
		}
		if (!jstream_ok(js))
			return false;
		complete_row(cols, n, nrows + 1);
	}
	return jstream_ok(js);
}

bool profile_table(struct jstream *js, struct table_column *cols, size_t n,
		   bool (*other)(struct jstream *js, struct str key, void *ctx), void *ctx)
{
	struct str key;

	for (size_t i = 0; i < n; i++)
		cols[i].at = -1;
	if (jstream_peek(js) != JSTREAM_OBJECT)
		return jstream_skip(js);
	jstream_object(js);
	while (jstream_key(js, &key)) {
		struct table_column *c = column_of(cols, n, key);

		if (c && !c->seen && jstream_peek(js) == JSTREAM_ARRAY)
			read_column(js, c);
		else if (str_eq(key, STR("schema")) && jstream_peek(js) == JSTREAM_OBJECT)
			read_schema(js, cols, n);
		else if (str_eq(key, STR("data")) && jstream_peek(js) == JSTREAM_ARRAY)
			read_rows(js, cols, n);
		else if (!other || !other(js, key, ctx))
			jstream_skip(js);
	}
	return jstream_ok(js);
}
