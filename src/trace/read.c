#include "trace/read.h"

#include "base/input.h"
#include "trace/columns.h"
#include "trace/commit.h"
#include "trace/document.h"
#include "trace/refuse.h"

#include <stdlib.h>

/* The whole text, with padding behind it. */
static size_t whole(struct input *in, struct column *text)
{
	const size_t step = (size_t)1 << 20;
	size_t n = 0, got;

	do {
		column_reserve(text, n + step + PADDING);
		got = input_read(in, (char *)text->at + n, step);
		n += got;
	} while (got);
	return n;
}

static void note_source(struct trace *tr, const char *name, const struct input_state *s)
{
	tr->source = (struct source){
		.path = arena_text(&tr->arena, name, strlen(name)),
		.gzip = s->gzip,
		.packed_size = s->packed_size,
		.size = s->size,
	};
	if (s->truncated)
		counter_hit(&tr->counters, COUNT_GZIP_TRUNCATED, s->size);
	if (s->bad_crc)
		counter_hit(&tr->counters, COUNT_GZIP_CRC, UINT64_MAX);
	if (s->trailing)
		counter_hit(&tr->counters, COUNT_GZIP_TRAILING, UINT64_MAX);
}

static bool finish(struct trace *tr, struct document *d)
{
	if (d->where == DOCUMENT_FAILED)
		return false;
	if (!d->has_events && d->nkeys) {
		refuse_object(d);
		return false;
	}
	if (!tr->ev.n)
		counter_hit(&tr->counters, COUNT_NO_EVENTS, UINT64_MAX);
	tr->nmeta = d->nmeta;
	tr->meta = d->meta;
	return true;
}

static struct trace *read_input(struct input *in, const char *name, struct read_options o,
				struct lp_error *err)
{
	struct trace *tr = calloc(1, sizeof(*tr));
	struct column text = { 0 };
	struct batch b = { 0 };
	struct commit c;
	struct commit_place at;

	if (!tr)
		arena_exhausted(sizeof(*tr));
	commit_begin(&c, tr);
	size_t n = whole(in, &text);
	struct input_state s = input_state(in);
	struct document d = {
		.name = name, .arena = &tr->arena, .err = err, .cut_input = s.truncated
	};
	struct text t = { text.at, (char *)text.at + n, 0, true };

	note_source(tr, name, &s);
	document_read(&d, &b, &t);
	commit_reserve(&c, &b, 0, &at);
	commit_copy(&c, &b, 0, at);
	commit_end(&c);
	batch_free(&b);
	column_free(&text);
	if (finish(tr, &d))
		return tr;
	trace_free(tr);
	return NULL;
}

struct trace *trace_read(const char *path, struct read_options o, struct lp_error *err)
{
	struct input *in = input_open(path, err);
	struct trace *tr = in ? read_input(in, path, o, err) : NULL;

	input_close(in);
	return tr;
}

struct trace *trace_read_memory(const char *name, const void *text, size_t n, struct read_options o,
				struct lp_error *err)
{
	struct input *in = input_memory(text, n);
	struct trace *tr = read_input(in, name, o, err);

	if (tr)
		tr->source.memory = text;
	input_close(in);
	return tr;
}
