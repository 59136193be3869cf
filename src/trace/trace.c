#include "trace/trace.h"

#include "base/input.h"
#include "trace/columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

uint64_t trace_place(const struct trace *tr, event_id e)
{
	return tr->place_base[e >> EVENT_BLOCK_BITS] + tr->ev.place[e];
}

struct str trace_meta(const struct trace *tr, const char *key)
{
	for (uint32_t i = tr->nmeta; i--;)
		if (str_eq(tr->meta[i].key, str_of(key)))
			return tr->meta[i].json;
	return (struct str){ 0 };
}

static uint64_t count_newlines(const char *p, size_t n)
{
	const char *end = p + n;
	uint64_t lines = 0;

	while (p < end && (p = memchr(p, '\n', (size_t)(end - p)))) {
		lines++;
		p++;
	}
	return lines;
}

bool trace_lines(const struct trace *tr, const uint64_t *byte, uint64_t *line, uint32_t n)
{
	enum { WINDOW = 1 << 18 };
	const struct source *s = &tr->source;
	struct input *in = s->memory                   ? input_memory(s->memory, s->packed_size)
			   : s->copy && !s->copy_error ? input_open_copy(s->copy, s->path, NULL)
			   : strcmp(s->path, "-")      ? input_open(s->path, NULL)
						       : NULL;
	uint64_t at = 0, lines = 1;
	char *buf = in ? malloc(WINDOW) : NULL;
	uint32_t i = 0;

	for (size_t got; buf && i < n && (got = input_read(in, buf, WINDOW)); at += got) {
		size_t done = 0;

		for (; i < n && byte[i] < at + got; i++) {
			lines += count_newlines(buf + done, (size_t)(byte[i] - at) - done);
			done = (size_t)(byte[i] - at);
			line[i] = lines;
		}
		lines += count_newlines(buf + done, got - done);
	}
	for (; buf && i < n; i++)
		line[i] = lines;
	free(buf);
	input_close(in);
	return buf;
}

bool trace_oddity_error(const struct trace *tr, enum counter what, struct lp_error *err)
{
	const struct counter_text *c = &counter_texts[what];
	uint64_t byte = tr->counters.first_byte[what], line;

	if (byte == UINT64_MAX)
		return error_set(err, "%s: %s: %s (strict)", tr->source.path, c->name, c->text);
	if (!trace_lines(tr, &byte, &line, 1))
		return error_at(err, tr->source.path, byte, "%s: %s (strict)", c->name, c->text);
	return error_set(err, "%s: line %" PRIu64 ", byte %" PRIu64 ": %s: %s (strict)",
			 tr->source.path, line, byte, c->name, c->text);
}

void trace_free(struct trace *tr)
{
	if (!tr)
		return;
	if (tr->source.copy)
		close(tr->source.copy);
	columns_free(tr->columns);
	strings_free(&tr->strings);
	strings_free(&tr->cats);
	strings_free(&tr->args.keys);
	arena_free(&tr->arena);
	free(tr);
}
