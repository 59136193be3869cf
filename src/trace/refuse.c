#include "trace/refuse.h"

#include <string.h>
#include <strings.h>

/* Formats told by their first bytes. */
static const struct magic {
	uint16_t at, n;
	const char *bytes, *what;
} magics[] = {
	{ 0, 4, "PK\3\4", "a zip archive; unpack it first" },
	{ 0, 15, "SQLite format 3",
	  "an SQLite file (an Nsight Systems export?), not a JSON trace" },
	{ 0, 4,
	  "\x7f"
	  "ELF",
	  "a program (ELF), not a trace" },
	{ 0, 4, "\x89PNG", "a PNG picture, not a trace" },
	{ 0, 4, "%PDF", "a PDF document, not a trace" },
	{ 0, 6,
	  "\xfd"
	  "7zXZ",
	  "compressed by xz; unpack it first" },
	{ 0, 4, "\x28\xb5\x2f\xfd", "compressed by zstd; unpack it first" },
	{ 0, 3, "BZh", "compressed by bzip2; unpack it first" },
	{ 0, 4, "\x04\x22\x4d\x18", "compressed by lz4; unpack it first" },
	{ 0, 6, "7z\xbc\xaf\x27\x1c", "a 7-zip archive; unpack it first" },
	{ 0, 4, "PAR1", "a Parquet file, not a trace" },
	{ 0, 8, "\x89HDF\r\n\x1a\n", "an HDF5 file, not a trace" },
	{ 0, 4, "\x80\x04\x95", "a Python pickle (a memory snapshot?), not a trace" },
	{ 0, 2, "\x1f\x8b", "compressed twice; unpack it once" },
	{ 0, 2, "\xff\xfe", "UTF-16 text; a trace is UTF-8: convert it first" },
	{ 0, 2, "\xfe\xff", "UTF-16 text; a trace is UTF-8: convert it first" },
	{ 0, 4, "{\0\n\0", "UTF-16 text; a trace is UTF-8: convert it first" },
	{ 0, 4, "{\0\"\0", "UTF-16 text; a trace is UTF-8: convert it first" },
	{ 0, 4, "\0{\0\"", "UTF-16 text; a trace is UTF-8: convert it first" },
	{ 257, 5, "ustar", "a tar archive; unpack it first" },
};

static void say(const struct document *d, const char *what)
{
	error_set(d->err, "%s: %s", d->name, what);
}

bool refuse_bytes(const struct document *d, const struct text *t)
{
	size_t n = (size_t)(t->end - t->p);

	for (size_t i = 0; i < ARRAY_SIZE(magics); i++) {
		const struct magic *m = &magics[i];

		if (n >= (size_t)m->at + m->n && !memcmp(t->p + m->at, m->bytes, m->n)) {
			say(d, m->what);
			return true;
		}
	}
	return false;
}

/* Bytes that no text has. */
static bool is_binary(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)p[i];

		if (c < 9 || (c > 13 && c < 32 && c != 27))
			return true;
	}
	return false;
}

void refuse_text(const struct document *d, const struct text *t, const char *p)
{
	size_t n = MIN_OF((size_t)(t->end - p), 512);

	if (p == t->end)
		say(d, t->end == t->p ? "an empty file" : "an empty file (nothing but blanks)");
	else if (n >= 14 && (!strncasecmp(p, "<!doctype html", 14) || !strncasecmp(p, "<html", 5)))
		say(d, "a web page (HTML), not a trace");
	else if (is_binary(p, n))
		say(d, n > 2 && *p == '\n'
			       ? "binary data (a protobuf, XSpace or Perfetto trace?), not "
				 "JSON"
			       : "binary data, not a JSON trace");
	else
		say(d, "not JSON: a trace begins with '{' or '['");
}

void refuse_root(const struct document *d, const struct text *t, const char *p)
{
	error_at(d->err, d->name, text_byte(t, p),
		 "not JSON, and no traceEvents before or after it");
}

/* Formats told by the keys of their root. */
static const struct known_root {
	const char *key, *with, *what;
} known_roots[] = {
	{ "resourceSpans", NULL, "an OpenTelemetry file, not a trace of events" },
	{ "resourceMetrics", NULL, "an OpenTelemetry file, not a trace of events" },
	{ "profiles", "shared",
	  "a speedscope profile, not a trace of events; longpole tree reads it" },
	{ "nodes", "samples",
	  "a Chrome CPU profile, not a trace of events; longpole tree reads it" },
	{ "nodes", "startTime",
	  "a Chrome CPU profile, not a trace of events; longpole tree reads it" },
	{ "threads", "meta", "a Firefox profile, not a trace of events; longpole tree reads it" },
	{ "nodes", "schema",
	  "a PyTorch execution trace: it has operators, but no times of events" },
	{ "nbformat", NULL, "a Jupyter notebook, not a trace" },
	{ "snapshot", "nodes", "a heap snapshot, not a trace" },
};

static bool has_key(const struct document *d, const char *key)
{
	for (uint32_t i = 0; i < d->nmeta; i++)
		if (str_eq(d->meta[i].key, str_of(key)))
			return true;
	return false;
}

void refuse_object(const struct document *d)
{
	for (size_t i = 0; i < ARRAY_SIZE(known_roots); i++) {
		const struct known_root *k = &known_roots[i];

		if (has_key(d, k->key) && (!k->with || has_key(d, k->with))) {
			say(d, k->what);
			return;
		}
	}
	say(d, d->cut ? "cut off before its events begin"
		      : "JSON, but not a trace: its root has no traceEvents");
}
