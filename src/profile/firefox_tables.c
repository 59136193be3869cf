#include "profile/firefox_tables.h"

#include "profile/profile_table.h"

#include <stdlib.h>

static bool read_strings(struct jstream *js, struct profile *p, struct narrow *out)
{
	string_id id;
	struct str s;

	jstream_array(js);
	while (jstream_item(js)) {
		if (jstream_peek(js) == JSTREAM_STRING) {
			if (!jstream_string(js, &s))
				break;
		} else {
			jstream_skip(js);
			s = STR("");
		}
		id = strings_add(&p->strings, s.p, s.n);
		narrow_push(out, &id, 1, 1);
	}
	return jstream_ok(js);
}

#define IDS(name, column)                                           \
	{                                                           \
		.key = name, .kind = TABLE_NARROW, .out = &(column) \
	}
#define READ(js, cols) profile_table(js, cols, ARRAY_SIZE(cols), NULL, NULL)

static bool read_stacks(struct jstream *js, struct firefox_tables *t)
{
	struct table_column cols[] = {
		IDS("frame", t->stack_frame),
		IDS("prefix", t->stack_prefix),
		IDS("prefixOffset", t->stack_offset),
	};

	t->given = true;
	return READ(js, cols);
}

static bool read_frames(struct jstream *js, struct firefox_tables *t)
{
	struct table_column cols[] = {
		IDS("func", t->frame_func),
		IDS("location", t->frame_location),
	};

	return READ(js, cols);
}

static bool read_funcs(struct jstream *js, struct firefox_tables *t)
{
	struct table_column cols[] = {
		IDS("name", t->func_name),         IDS("fileName", t->func_file),
		IDS("source", t->func_source),     IDS("lineNumber", t->func_line),
		IDS("resource", t->func_resource),
	};

	return READ(js, cols);
}

bool firefox_tables_key(struct jstream *js, struct firefox_tables *t, struct str key,
			struct profile *p)
{
	if (str_eq(key, STR("stackTable"))) {
		read_stacks(js, t);
	} else if (str_eq(key, STR("frameTable"))) {
		read_frames(js, t);
	} else if (str_eq(key, STR("funcTable"))) {
		read_funcs(js, t);
	} else if (str_eq(key, STR("resourceTable"))) {
		struct table_column cols[] = { IDS("name", t->resource_name) };

		READ(js, cols);
	} else if (str_eq(key, STR("sources"))) {
		struct table_column cols[] = { IDS("filename", t->source_name) };

		READ(js, cols);
	} else if (str_eq(key, STR("stringArray")) || str_eq(key, STR("stringTable"))) {
		if (jstream_peek(js) != JSTREAM_ARRAY)
			return false;
		read_strings(js, p, &t->strings);
	} else {
		return false;
	}
	return true;
}

void firefox_tables_free_columns(struct firefox_tables *t)
{
	struct narrow *columns[] = {
		&t->stack_frame,    &t->stack_prefix,  &t->stack_offset,  &t->frame_func,
		&t->frame_location, &t->func_name,     &t->func_file,     &t->func_source,
		&t->func_line,      &t->func_resource, &t->resource_name, &t->source_name,
		&t->strings,
	};

	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		narrow_free(columns[i]);
}

void firefox_tables_free(struct firefox_tables *t)
{
	firefox_tables_free_columns(t);
	counted_free(&t->raw);
	free(t->stacks);
	*t = (struct firefox_tables){ 0 };
}
