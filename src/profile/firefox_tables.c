#include "profile/firefox_tables.h"

#include "profile/profile_table.h"

#include <stdlib.h>

static bool read_strings(struct jstream *js, struct profile *p, struct jstream_ids *out)
{
	struct str s;

	jstream_array(js);
	while (jstream_item(js)) {
		if (jstream_peek(js) == JSTREAM_STRING) {
			if (jstream_string(js, &s))
				jstream_push_id(out, strings_add(&p->strings, s.p, s.n));
		} else {
			jstream_skip(js);
			jstream_push_id(out, strings_add(&p->strings, "", 0));
		}
	}
	return jstream_ok(js);
}

#define IDS(name, column)                                        \
	{                                                        \
		.key = name, .kind = TABLE_IDS, .out = &(column) \
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

void firefox_tables_free(struct firefox_tables *t)
{
	free(t->stack_frame.at);
	free(t->stack_prefix.at);
	free(t->stack_offset.at);
	free(t->frame_func.at);
	free(t->frame_location.at);
	free(t->func_name.at);
	free(t->func_file.at);
	free(t->func_source.at);
	free(t->func_line.at);
	free(t->func_resource.at);
	free(t->resource_name.at);
	free(t->source_name.at);
	free(t->strings.at);
	free(t->stacks);
	*t = (struct firefox_tables){ 0 };
}
