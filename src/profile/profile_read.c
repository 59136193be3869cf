/*
 * JSON shows by its first byte; text by its first lines; what else there is, by magic
 * numbers, so that a file we cannot read is at least called by its name.
 */
#include "profile/profile_read.h"

#include "profile/profile_collapsed.h"
#include "profile/profile_json.h"
#include "profile/profile_perf.h"
#include "profile/profile_pprof.h"

#include <string.h>

#define HEAD_MAX ((size_t)64 << 10)

static const struct {
	const char *magic;
	size_t n;
	const char *what;
} strangers[] = {
	{ "PK\3\4", 4, "a zip archive; unpack it first" },
	{ "\xff\xfe", 2, "UTF-16 text; convert it to UTF-8 first (iconv -f utf-16 -t utf-8)" },
	{ "\xfe\xff", 2, "UTF-16 text; convert it to UTF-8 first (iconv -f utf-16 -t utf-8)" },
	{ "PERFILE2", 8, "a perf.data file; longpole reads what `perf script` prints" },
	{ "SIMPLEPERF", 10, "a simpleperf protobuf, which longpole does not read" },
	{ "FLR", 3, "a Java flight recording, which longpole does not read" },
	{ "SQLite format 3", 15, "an SQLite database, not a profile" },
	{ "*version", 8, "an ART method trace, which longpole does not read" },
	{ "SLOW", 4, "an ART method trace, which longpole does not read" },
};

static const char *stranger(struct str head)
{
	for (size_t i = 0; i < ARRAY_SIZE(strangers); i++)
		if (head.n >= strangers[i].n && !memcmp(head.p, strangers[i].magic, strangers[i].n))
			return strangers[i].what;
	return NULL;
}

static size_t bom_length(struct str s)
{
	return str_starts(s, STR("\xef\xbb\xbf")) ? 3 : 0;
}

static bool is_blank(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!strchr(" \t\r\n", s.p[i]) || !s.p[i])
			return false;
	return true;
}

/* A text that begins as an object or a list of objects, lists or nothing: "[unknown]" is a frame.
 */
static bool is_json(struct str s)
{
	size_t i = bom_length(s);
	char first;

	while (i < s.n && strchr(" \t\r\n", s.p[i]) && s.p[i])
		i++;
	first = i < s.n ? s.p[i++] : 0;
	while (i < s.n && strchr(" \t\r\n,", s.p[i]) && s.p[i])
		i++;
	s = (struct str){ s.p + i, s.n - i };
	if (first == '{')
		return !s.n || *s.p == '"' ||
		       (*s.p == '}' && is_blank((struct str){ s.p + 1, s.n - 1 }));
	return first == '[' &&
	       (!s.n || *s.p == '{' || *s.p == '[' || *s.p == ']' || str_starts(s, STR("null")));
}

static enum profile_answer read_scroll(struct scroll *w, const char *path, struct profile_options o,
				       struct profile **out, struct lp_error *err)
{
	scroll_fill(w);
	struct str head = { (const char *)w->buf, MIN_OF(w->end, HEAD_MAX) };
	bool whole = w->ended && head.n == w->end;
	const char *what = stranger(head);

	if (what) {
		error_set(err, "%s: %s", path, what);
		return PROFILE_REFUSED;
	}
	if (is_json(head)) {
		w->at += bom_length(head);
		return profile_json(w, path, o, out, err);
	}
	if (perf_looks(head))
		return profile_perf(w, path, o, out, err);
	if (pprof_looks(head, whole))
		return profile_pprof(w, path, o, out, err);
	if (collapsed_looks(head, whole))
		return profile_collapsed(w, path, o, out, err);
	if (whole && is_blank(head)) {
		error_set(err, "%s: there is nothing in this file", path);
		return PROFILE_REFUSED;
	}
	error_set(err, "%s: neither a trace nor a profile in a format that longpole knows", path);
	return PROFILE_REFUSED;
}

static enum profile_answer read_input(struct input *in, const char *path, struct profile_options o,
				      struct profile **out, struct lp_error *err)
{
	enum profile_answer answer;
	struct scroll w;

	scroll_open(&w, in);
	answer = read_scroll(&w, path, o, out, err);
	if (input_state(in).read_error && answer != PROFILE_TRACE) {
		if (answer == PROFILE_READ)
			profile_free(*out);
		answer = PROFILE_REFUSED;
		error_set(err, "%s: cannot read: %s", path, strerror(input_state(in).read_error));
	}
	if (answer == PROFILE_READ && (input_state(in).truncated || input_state(in).bad_crc))
		profile_odd(*out, PROFILE_ODD_CUT, w.base + w.end);
	scroll_close(&w);
	input_close(in);
	return answer;
}

enum profile_answer profile_read(const char *path, struct profile_options o, struct profile **out,
				 struct lp_error *err)
{
	enum profile_answer answer = PROFILE_AGAIN;

	for (int i = 0; i < 2 && answer == PROFILE_AGAIN; i++, o.columns = true) {
		struct input *in = input_open(path, err);

		answer = in ? read_input(in, path, o, out, err) : PROFILE_REFUSED;
	}
	return answer;
}

enum profile_answer profile_read_memory(const char *name, const void *text, size_t n,
					struct profile_options o, struct profile **out,
					struct lp_error *err)
{
	enum profile_answer answer = PROFILE_AGAIN;

	for (int i = 0; i < 2 && answer == PROFILE_AGAIN; i++, o.columns = true)
		answer = read_input(input_memory(text, n), name, o, out, err);
	return answer;
}
