/*
 * Workers pass a baton: who holds it inflates the next chunk and cuts it at the last event
 * that begins in it (feed.h), hands the baton on, reads its own chunk while it is still
 * warm, and waits for its turn to add the rows to the trace (assemble.h).
 *
 *	worker 0   [inflate 0][ read 0 ......][copy]      [inflate 2][ read 2 ....
 *	worker 1              [inflate 1][ read 1 ......][copy]      [inflate 3][ ...
 */
#include "trace/read.h"

#include "trace/assemble.h"
#include "trace/columns.h"
#include "trace/read_fast.h"
#include "trace/refuse.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS_MAX     64
#define THREADS_DEFAULT 16                    /* inflating is serial: more than that would wait */
#define WORTH_A_THREAD  ((uint64_t)128 << 10) /* packed bytes */

struct reading {
	struct feed feed;
	struct assemble assemble;
	enum simd_level simd;
	bool careful;
};

static void *work(void *arg)
{
	struct reading *r = arg;
	struct worker w = { .fast = r->careful ? NULL : fast_new(r->simd) };

	while (feed_next(&r->feed, &w.chunk))
		if (!assemble_chunk(&r->assemble, &w, &r->feed))
			feed_stop(&r->feed);
	fast_free(w.fast);
	batch_free(&w.batch);
	column_free(&w.chunk.memory);
	return NULL;
}

static unsigned thread_count(const struct read_options *o, const struct input_state *s)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t n = o->threads ? o->threads : (uint64_t)MIN_OF(processors, THREADS_DEFAULT);

	if (!o->threads && s->packed_size)
		n = MIN_OF(n, s->packed_size / WORTH_A_THREAD + 1);
	return (unsigned)MIN_OF(MAX_OF(n, 1), THREADS_MAX);
}

static void work_together(struct reading *r, unsigned threads)
{
	pthread_t helper[THREADS_MAX];
	unsigned n = 0;

	while (n + 1 < threads && !pthread_create(&helper[n], NULL, work, r))
		n++;
	work(r);
	while (n)
		pthread_join(helper[--n], NULL);
}

static void note_source(struct trace *tr, const char *name, const struct input_state *s)
{
	tr->source.path = arena_text(&tr->arena, name, strlen(name));
	tr->source.gzip = s->gzip;
	tr->source.packed_size = s->packed_size;
	tr->source.size = s->size;
	if (s->truncated)
		counter_hit(&tr->counters, COUNT_GZIP_TRUNCATED, s->size);
	if (s->bad_crc)
		counter_hit(&tr->counters, COUNT_GZIP_CRC, UINT64_MAX);
	if (s->trailing)
		counter_hit(&tr->counters, COUNT_GZIP_TRAILING, UINT64_MAX);
}

/* What is to be said about the whole; false if it is no trace or not a clean one. */
static bool finish(struct trace *tr, const struct document *d, bool strict)
{
	if (d->where == DOCUMENT_FAILED)
		return false;
	if (d->where == DOCUMENT_REST && !d->has_events && (d->nkeys || d->cut)) {
		refuse_object(d);
		return false;
	}
	if (!tr->ev.n)
		counter_hit(&tr->counters, COUNT_NO_EVENTS, UINT64_MAX);
	tr->nmeta = d->nmeta;
	tr->meta = d->meta;
	enum counter odd = strict ? counters_first(&tr->counters, SEVERITY_WARNING) : COUNTERS;
	return odd == COUNTERS || trace_oddity_error(tr, odd, d->err);
}

static struct trace *read_input(struct input *in, const char *name, const void *memory,
				struct read_options o, struct lp_error *err)
{
	struct trace *tr = calloc(1, sizeof(*tr));
	struct reading *r = calloc(1, sizeof(*r));
	struct input_state s = input_state(in);

	if (!tr || !r)
		arena_exhausted(sizeof(*tr));
	tr->source.memory = memory;
	r->simd = o.simd ? (enum simd_level)(o.simd - 1) : simd_best();
	r->careful = o.careful;
	r->assemble.strict = o.strict;
	r->assemble.doc = (struct document){ .name = name, .arena = &tr->arena, .err = err };
	feed_begin(&r->feed, in, &o);
	assemble_begin(&r->assemble, tr);
	work_together(r, thread_count(&o, &s));
	assemble_end(&r->assemble);
	feed_end(&r->feed);
	s = input_state(in);
	note_source(tr, name, &s);
	bool good = s.read_error
			    ? error_set(err, "%s: cannot read: %s", name, strerror(s.read_error))
			    : finish(tr, &r->assemble.doc, o.strict);
	free(r);
	if (good)
		return tr;
	trace_free(tr);
	return NULL;
}

struct trace *trace_read(const char *path, struct read_options o, struct lp_error *err)
{
	int copy = -1;
	struct input *in = input_open_copied(path, o.again ? &copy : NULL, err);
	struct trace *tr = in ? read_input(in, path, NULL, o, err) : NULL;

	if (tr && copy > 0) {
		tr->source.copy = copy;
		tr->source.copy_error = input_state(in).copy_error;
	} else if (copy > 0) {
		close(copy);
	}
	input_close(in);
	return tr;
}

struct trace *trace_read_memory(const char *name, const void *text, size_t n, struct read_options o,
				struct lp_error *err)
{
	struct input *in = input_memory(text, n);
	struct trace *tr = read_input(in, name, text, o, err);

	input_close(in);
	return tr;
}
