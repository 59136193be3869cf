/*
 * jansson as the judge: on every valid file, each event has the fields and arguments that
 * it finds, in its order. Skipped where the traces are not at hand.
 */
#include "base/column.h"
#include "base/input.h"
#include "trace/read.h"

#include <jansson.h>

#include <dirent.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define SIZE_MAX_TEXT ((size_t)8 << 20) /* larger ones would take jansson too long */

static unsigned compared;

static size_t slurp(const char *path, struct column *text)
{
	struct input *in = input_open(path, NULL);
	size_t n = 0, got;

	if (!in)
		return 0;
	do {
		column_reserve(text, n + (1 << 20) + PADDING);
		got = input_read(in, (char *)text->at + n, 1 << 20);
		n += got;
	} while (got && n <= SIZE_MAX_TEXT);
	input_close(in);
	return n;
}

/* As text without loss: what arg_text() should give. */
static char *text_of(const json_t *v)
{
	char *out = NULL;

	if (json_is_string(v))
		return strndup(json_string_value(v), json_string_length(v));
	if (json_is_integer(v)) {
		if (asprintf(&out, "%" JSON_INTEGER_FORMAT, json_integer_value(v)) < 0)
			return NULL;
		return out;
	}
	return json_dumps(v, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
}

/* Numbers with a fraction or an exponent are compared as numbers: text is not unique. */
static bool same_value(struct str ours, const json_t *v)
{
	if (json_is_real(v)) {
		char digits[64];

		snprintf(digits, sizeof(digits), "%.*s", STR_ARGS(ours));
		return strtod(digits, NULL) == json_real_value(v);
	}
	if (json_is_array(v) || json_is_object(v)) {
		char *z = strndup(ours.p, ours.n);
		json_t *w = json_loads(z, JSON_ALLOW_NUL, NULL);
		bool same = w && json_equal(w, v);

		json_decref(w);
		free(z);
		return same;
	}
	char *want = text_of(v);
	bool same = want && str_eq(ours, str_of(want));

	free(want);
	return same;
}

static bool same_args(const struct trace *tr, event_id e, json_t *event)
{
	json_t *args = json_object_get(event, "args"), *v;
	const char *key;
	size_t n = 0;

	if (json_is_object(args))
		json_object_foreach(args, key, v)
		{
			uint16_t id = arg_key_id(tr, str_of(key));
			n++;
			if (!same_value(arg_text(tr, e, id), v))
				return false;
		}
	json_object_foreach(event, key, v)
	{
		static const char *const columns[] = { "ph",  "cat", "name", "pid",
						       "tid", "ts",  "dur" };
		bool column = !strcmp(key, "args") && json_is_object(args);
		char dotted[300];

		for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
			column |= !strcmp(key, columns[i]);
		if (column)
			continue;
		n++;
		snprintf(dotted, sizeof(dotted), ".%s", key);
		if (!same_value(arg_text(tr, e, arg_key_id(tr, str_of(dotted))), v))
			return false;
	}
	struct arg a;
	return arg_at(tr, e, 0, &a) == (n > 0) && (n == 0 || arg_at(tr, e, (uint32_t)n - 1, &a));
}

static bool same_string(const struct strings *s, uint32_t id, uint32_t none, const json_t *v)
{
	if (!v || json_is_null(v))
		return id == none;
	return id != none && same_value(strings_get(s, id), v);
}

/* jansson has only doubles for fractions: the nearest one to our nanoseconds must be its. */
static bool same_time(nsec ns, const json_t *v)
{
	if (json_is_string(v)) {
		char *end;
		double d = strtod(json_string_value(v), &end);

		return *end || !json_string_length(v) ? ns == NSEC_NONE
						      : ns / 1000.0 - d < 1 && d - ns / 1000.0 < 1;
	}
	if (!json_is_number(v))
		return true;
	if (json_is_integer(v) && llabs(json_integer_value(v)) < INT64_MAX / 1000)
		return ns == json_integer_value(v) * 1000;
	double d = json_number_value(v), ours = (double)ns / 1000;
	return ns == NSEC_NONE ? d > 9e15 || d < -9e15
			       : ours - d <= 1e-3 + d * 1e-15 && d - ours <= 1e-3 + d * 1e-15;
}

static bool same_event(const struct trace *tr, event_id e, json_t *event)
{
	const struct lane *lane;
	const char *ph = json_string_value(json_object_get(event, "ph"));

	if (tr->ev.flags[e] & EVENT_DROPPED)
		return !json_is_object(event) || !json_object_size(event);
	lane = &tr->lanes.at[tr->ev.lane[e]];
	return same_string(&tr->strings, tr->ev.name[e], NONE, json_object_get(event, "name")) &&
	       same_string(&tr->cats, tr->ev.cat[e], UINT16_MAX, json_object_get(event, "cat")) &&
	       same_string(&tr->strings, lane->pid, NONE, json_object_get(event, "pid")) &&
	       same_string(&tr->strings, lane->tid, NONE, json_object_get(event, "tid")) &&
	       same_time(tr->ev.ts[e], json_object_get(event, "ts")) &&
	       (!json_object_get(event, "dur") ||
		same_time(tr->ev.dur[e], json_object_get(event, "dur"))) &&
	       tr->ev.ph[e] == (ph ? (uint8_t)ph[0] : 0) && same_args(tr, e, event);
}

static void compare(const char *path, const char *text, size_t n)
{
	json_t *root = json_loadb(text, n, 0, NULL);
	json_t *list = json_is_array(root) ? root : json_object_get(root, "traceEvents");
	struct lp_error err = { "" };
	struct trace *tr = trace_read_memory(path, text, n, (struct read_options){ .chunk = 5000 },
					     &err);

	if (!list || !json_is_array(list)) {
		trace_free(tr);
		json_decref(root);
		return;
	}
	if (!tr)
		fail_msg("%s", err.text);
	if (tr->ev.n != json_array_size(list))
		fail_msg("%s: %u events, jansson has %zu", path, tr->ev.n, json_array_size(list));
	for (event_id e = 0; e < tr->ev.n; e++)
		if (!same_event(tr, e, json_array_get(list, e)))
			fail_msg("%s: event %u at byte %" PRIu64 " differs", path, e,
				 trace_place(tr, e));
	compared++;
	trace_free(tr);
	json_decref(root);
}

static void compare_folder(const char *folder, int depth)
{
	struct dirent **list;
	int n = scandir(folder, &list, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		char path[4096];
		struct stat st;
		struct column text = { 0 };

		snprintf(path, sizeof(path), "%s/%s", folder, list[i]->d_name);
		if (list[i]->d_name[0] != '.' && !stat(path, &st)) {
			if (S_ISDIR(st.st_mode) && depth < 6)
				compare_folder(path, depth + 1);
			else if (S_ISREG(st.st_mode) && strstr(path, ".json")) {
				size_t size = slurp(path, &text);

				if (size <= SIZE_MAX_TEXT)
					compare(path, text.at ? text.at : "", size);
				column_free(&text);
			}
		}
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

static char *folders[8];

static void every_valid_file_reads_as_jansson_reads_it(void **unused)
{
	(void)unused;
	for (int i = 0; folders[i]; i++)
		compare_folder(folders[i], 0);
	print_message("%u files compared\n", compared);
	assert_true(compared > 20);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_valid_file_reads_as_jansson_reads_it),
	};
	for (int i = 1, k = 0; i < argc && k < 7; i++)
		if (!access(argv[i], R_OK))
			folders[k++] = argv[i];
	if (!folders[0]) {
		printf("skipped: no traces\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
