#include "machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- As a trace ---- */

static void put_event(struct textbuf *b, const char *cat, const char *name, unsigned pid,
		      unsigned tid, nsec start, nsec end, const char *args)
{
	textbuf_print(
		b,
		"%s\n{\"ph\": \"X\", \"cat\": \"%s\", \"name\": \"%s\", \"pid\": %u, \"tid\": "
		"%u, \"ts\": %" PRId64 ".%03d, \"dur\": %" PRId64 ".%03d, \"args\": {%s}}",
		b->p[b->n - 1] == '[' ? "" : ",", cat, name, pid, tid, start / US,
		(int)(start % US), (end - start) / US, (int)((end - start) % US), args);
}

/* A top-level operator is one event; its own time is what its calls and operators leave. */
static void put_thread(const struct machine *m, unsigned t, struct textbuf *b)
{
	char args[200];

	for (unsigned i = 0; i < m->nspans[t]; i++) {
		const struct span *s = &m->span[t][i];
		snprintf(args, sizeof(args), "\"correlation\": %u", s->call);
		if (s->hole)
			continue;
		if (s->class == PATHS_CPU_OP)
			put_event(b, "cpu_op", s->name, 100, 100 + t, s->start, s->end, "");
		else
			put_event(b, "cuda_runtime", s->name, 100, 100 + t, s->start, s->end, args);
		if (m->p->rocm)
			continue;
		int n = snprintf(args, sizeof(args),
				 "\"stream\": %u, \"correlation\": %u, \"device\": 0",
				 7 + s->stream, s->call);
		if (s->class == PATHS_SYNC)
			put_event(b, "cuda_sync", "Stream Sync", 0, 7 + s->stream, s->start, s->end,
				  args);
		snprintf(args + n, sizeof(args) - (size_t)n,
			 ", \"wait_on_stream\": %u, \"wait_on_cuda_event_record_corr_id\": %u",
			 7 + (s->stream ^ 1), s->record);
		if (s->record)
			put_event(b, "cuda_sync", "Stream Wait Event", 0, 7 + s->stream, s->start,
				  s->end, args);
	}
}

/* Around the spans of each top-level operator, one event that has no time of its own. */
static void put_tops(const struct machine *m, unsigned t, struct textbuf *b)
{
	unsigned top = 0;

	for (unsigned i = 0; i < m->nspans[t]; i++)
		if (m->span[t][i].opens) {
			put_event(b, "cpu_op", "top", 100, 100 + t, m->span[t][i].start,
				  m->top_end[t][top], "");
			top++;
		}
}

void paths_trace(const struct paths *p, struct textbuf *out)
{
	struct arena scratch = { 0 };
	struct machine m = machine_run(p, NULL, &scratch);
	char args[80];

	textbuf_print(out, "{\"traceEvents\": [");
	for (unsigned t = 0; t < p->nthreads; t++) {
		put_tops(&m, t, out);
		put_thread(&m, t, out);
	}
	for (uint32_t i = 0; i < m.nworks; i++) {
		const struct work *w = &m.work[i];
		snprintf(args, sizeof(args), "\"stream\": %u, \"correlation\": %u, \"device\": 0",
			 7 + w->stream, w->call);
		put_event(out, "kernel", w->name, 0, 7 + w->stream, w->start, w->end, args);
	}
	textbuf_print(out, "\n]}\n");
	arena_free(&scratch);
}

/* ---- For people ---- */

static void write_known(const struct paths *p, FILE *f, struct arena *a)
{
	struct paths_run run = paths_run(p, NULL, a);

	fprintf(f, "{\"window_ns\": %" PRId64 ", \"exact\": %s,\n\"path\": [", run.window,
		run.exact ? "true" : "false");
	for (uint32_t i = 0; i < run.nsegments; i++)
		fprintf(f,
			"%s\n  {\"start_ns\": %" PRId64 ", \"dur_ns\": %" PRId64
			", \"class\": \"%s\", \"name\": \"%s\"}",
			i ? "," : "", run.segment[i].start,
			run.segment[i].end - run.segment[i].start,
			paths_class_names[run.segment[i].class], run.segment[i].name);
	fprintf(f, "],\n\"what_if\": [");
	for (unsigned i = 0; i < PATHS_NAMES; i++) {
		char name[24];
		snprintf(name, sizeof(name), "k%u", i);
		struct paths_change change = { name, 1, 2, 0, 0 };
		fprintf(f,
			"%s\n  {\"target\": \"%s\", \"factor\": \"2x\", \"window_ns\": %" PRId64
			"}",
			i ? "," : "", name, paths_run(p, &change, a).window);
	}
	fprintf(f, "]}\n");
}

static bool write_file(const char *path, struct str text)
{
	FILE *f = fopen(path, "w");
	bool ok = f && fwrite(text.p, 1, text.n, f) == text.n;

	if (f)
		ok = fclose(f) == 0 && ok;
	if (!ok)
		fprintf(stderr, "synth: %s: cannot write\n", path);
	return ok;
}

bool paths_write(uint64_t seed, bool rocm, const char *path)
{
	struct arena a = { 0 };
	struct paths *p = paths_make(seed, rocm, &a);
	struct textbuf text = { .arena = &a };
	size_t n = strlen(path), stem = n > 5 && !strcmp(path + n - 5, ".json") ? n - 5 : n;
	char *known_path = arena_print(&a, "%.*s.known.json", (int)stem, path), *known = NULL;
	size_t size = 0;

	paths_trace(p, &text);
	FILE *f = open_memstream(&known, &size);
	if (!f)
		abort();
	write_known(p, f, &a);
	fclose(f);
	bool ok = write_file(path, (struct str){ text.p, text.n }) &&
		  write_file(known_path, (struct str){ known, size });
	free(known);
	arena_free(&a);
	return ok;
}
