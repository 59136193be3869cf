/*
 * What the right answers are, added up from the records.
 *
 * Time on the GPU is found by a sweep over the starts and ends of a step's work that
 * counts how many pieces of each class are running: each stretch between two of them is
 * computation, else exposed communication, else exposed copy, else idle. Steps do not
 * overlap on the GPU (each ends with a sync), so they add up to the whole.
 */
#include "synth.h"
#include "base/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
	const char *name;
	const char *work; /* of a synthetic row, else NULL */
	const struct shape *shape;
	uint64_t count, works;
	nsec time;
	uint32_t last; /* the occurrence seen last */
};

struct times {
	uint64_t kernels, copies, sets;
	nsec start, end; /* of GPU work; NSEC_NONE if there is none */
	nsec busy, compute, exposed_comm, exposed_copy;
	nsec comm, copy; /* exposed or not */
};

struct edge {
	nsec at;
	int8_t change;
	uint8_t class;
};

struct tally {
	const struct options *o;
	unsigned rank;
	struct row *rows;
	unsigned nrows, rows_cap;
	struct row *names; /* per kernel name */
	unsigned nnames, names_cap;
	struct times all, unlinked, *steps;
	nsec *host; /* start and length of each step on the host */
	unsigned nsteps, steps_cap;
	uint64_t events;
	struct edge *edges;
	uint32_t edges_cap;
};

static void *grown(void *p, size_t n, size_t size)
{
	p = realloc(p, n * size);
	if (!p) {
		fputs("synth: out of memory\n", stderr);
		exit(2);
	}
	return p;
}

/* ---- Rows ---- */

static struct row *find_row(struct row **rows, unsigned *n, unsigned *cap, struct row like)
{
	for (unsigned i = 0; i < *n; i++) {
		struct row *r = &(*rows)[i];

		if (r->name == like.name && r->work == like.work && r->shape == like.shape)
			return r;
	}
	if (*n == *cap) {
		*cap = *cap ? 2 * *cap : 64;
		*rows = grown(*rows, *cap, sizeof(**rows));
	}
	(*rows)[*n] = like;
	return &(*rows)[(*n)++];
}

/* The operator around record `i`: the last one before it, of its External id. */
static const struct record *op_around(const struct rank *r, uint32_t i)
{
	uint32_t ext = r->records[i].ext;

	while (i-- > 0)
		if (r->records[i].kind == RECORD_OP && r->records[i].ext == ext)
			return &r->records[i];
	return NULL;
}

static struct row row_of(const struct tally *t, const struct rank *r, uint32_t i)
{
	const struct record *rec = &r->records[i];
	const struct work *w = &works[rec->line->work];
	const struct line *by = NULL;
	struct row row = { .last = NONE };

	if (rec->instance != NONE)
		by = r->records[rec->instance].line;
	else if (rec->line->owner == OWNER_OP_WORK)
		by = op_around(r, i)->line;
	row.name = by                       ? by->name
		   : w->kind == WORK_MEMSET ? api_name(API_SET, t->o->rocm)
					    : api_name(API_LAUNCH, t->o->rocm);
	row.shape = by ? by->shape : NULL;
	row.work = rec->instance == NONE ? work_name(w, t->o->rocm) : NULL;
	return row;
}

static void add_rows(struct tally *t, const struct rank *r, uint32_t i)
{
	const struct record *rec = &r->records[i];
	const char *name = work_name(&works[rec->line->work], t->o->rocm);
	struct row *of_name = find_row(&t->names, &t->nnames, &t->names_cap,
				       (struct row){ .name = name, .last = NONE });

	of_name->works++;
	of_name->time += rec->dur;
	if (rec->line == &unlinked_line)
		return;

	struct row *row = find_row(&t->rows, &t->nrows, &t->rows_cap, row_of(t, r, i));

	row->count += rec->instance == NONE || rec->instance != row->last;
	row->last = rec->instance;
	row->works++;
	row->time += rec->dur;
}

/* ---- Times ---- */

static int by_time(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* With or without the work that has no launch. */
static uint32_t find_edges(struct tally *t, const struct rank *r, bool unlinked)
{
	uint32_t n = 0;

	if (t->edges_cap < 2 * r->n) {
		t->edges_cap = 2 * r->n;
		t->edges = grown(t->edges, t->edges_cap, sizeof(*t->edges));
	}
	for (uint32_t i = 0; i < r->n; i++) {
		const struct record *rec = &r->records[i];

		if (rec->kind != RECORD_WORK || (rec->line == &unlinked_line && !unlinked))
			continue;

		uint8_t class = works[rec->line->work].class;

		t->edges[n++] = (struct edge){ rec->ts, 1, class };
		t->edges[n++] = (struct edge){ rec->ts + rec->dur, -1, class };
	}
	qsort(t->edges, n, sizeof(*t->edges), by_time);
	return n;
}

static void sweep(const struct edge *edges, uint32_t n, struct times *into)
{
	int running[WORK_CLASSES] = { 0 };

	for (uint32_t i = 0; i + 1 < n; i++) {
		running[edges[i].class] += edges[i].change;

		nsec took = edges[i + 1].at - edges[i].at;
		bool compute = running[WORK_COMPUTE], comm = running[WORK_COMM],
		     copy = running[WORK_COPY];

		into->busy += compute || comm || copy ? took : 0;
		into->compute += compute ? took : 0;
		into->exposed_comm += comm && !compute ? took : 0;
		into->exposed_copy += copy && !comm && !compute ? took : 0;
		into->comm += comm ? took : 0;
		into->copy += copy ? took : 0;
	}
}

static void count(struct times *into, const struct rank *r, bool unlinked)
{
	for (uint32_t i = 0; i < r->n; i++) {
		const struct record *rec = &r->records[i];
		bool is = rec->kind == RECORD_WORK && (unlinked || rec->line != &unlinked_line);
		uint8_t kind = is ? works[rec->line->work].kind : UINT8_MAX;

		into->kernels += kind == WORK_KERNEL;
		into->copies += kind == WORK_MEMCPY;
		into->sets += kind == WORK_MEMSET;
	}
}

static void add_times(struct times *into, const struct times *t)
{
	into->kernels += t->kernels;
	into->copies += t->copies;
	into->sets += t->sets;
	into->busy += t->busy;
	into->compute += t->compute;
	into->exposed_comm += t->exposed_comm;
	into->exposed_copy += t->exposed_copy;
	into->comm += t->comm;
	into->copy += t->copy;
	CHECK(into->start == NSEC_NONE || into->end <= t->start);
	if (into->start == NSEC_NONE)
		into->start = t->start;
	into->end = t->end;
}

static struct times times_of(struct tally *t, const struct rank *r, bool unlinked)
{
	struct times times = { .start = NSEC_NONE };
	uint32_t n = find_edges(t, r, unlinked);

	sweep(t->edges, n, &times);
	count(&times, r, unlinked);
	if (n) {
		times.start = t->edges[0].at;
		times.end = t->edges[n - 1].at;
	}
	return times;
}

void tally_step(struct tally *t, const struct rank *r)
{
	struct times all = times_of(t, r, true), step = times_of(t, r, false);

	add_times(&t->all, &all);
	for (unsigned i = 0; i < t->nrows; i++)
		t->rows[i].last = NONE;
	for (uint32_t i = 0; i < r->n; i++) {
		const struct record *rec = &r->records[i];

		if (rec->kind != RECORD_WORK)
			continue;
		add_rows(t, r, i);
		if (rec->line == &unlinked_line) {
			t->unlinked.kernels++;
			t->unlinked.busy += rec->dur;
		}
	}
	if (t->nsteps == t->steps_cap) {
		t->steps_cap = t->steps_cap ? 2 * t->steps_cap : 64;
		t->steps = grown(t->steps, t->steps_cap, sizeof(*t->steps));
		t->host = grown(t->host, 2 * t->steps_cap, sizeof(*t->host));
	}
	t->host[2 * t->nsteps] = r->records[r->step_note].ts;
	t->host[2 * t->nsteps + 1] = r->records[r->step_note].dur;
	t->steps[t->nsteps++] = step;
}

/* ---- Writing ---- */

static void write_times(FILE *f, const struct times *t)
{
	nsec total = t->start == NSEC_NONE ? 0 : t->end - t->start;

	fprintf(f,
		"\"kernels\": %llu, \"copies\": %llu, \"sets\": %llu, \"computation_ns\": %lld, "
		"\"exposed_comm_ns\": %lld, \"exposed_copy_ns\": %lld, \"busy_ns\": %lld, "
		"\"idle_ns\": %lld, \"total_ns\": %lld, \"comm_ns\": %lld, \"copy_ns\": %lld",
		(unsigned long long)t->kernels, (unsigned long long)t->copies,
		(unsigned long long)t->sets, (long long)t->compute, (long long)t->exposed_comm,
		(long long)t->exposed_copy, (long long)t->busy, (long long)(total - t->busy),
		(long long)total, (long long)t->comm, (long long)t->copy);
}

static void write_row(FILE *f, const struct tally *t, const struct row *row)
{
	fprintf(f, "\n  {\"name\": \"%s", row->name);
	if (row->work)
		fprintf(f, "->%s (Synthetic Op)", row->work);
	fprintf(f, "\", \"input_dims\": ");
	if (row->shape && t->o->shapes)
		fprintf(f, "\"%s\"", row->shape->dims);
	else
		fprintf(f, "null");
	fprintf(f, ", \"count\": %llu, \"kernels\": %llu, \"kernel_time_ns\": %lld}",
		(unsigned long long)row->count, (unsigned long long)row->works,
		(long long)row->time);
}

static void write_all(FILE *f, const struct tally *t)
{
	fprintf(f, "{\"rank\": %u, \"events\": %llu,\n\"gpu\": {", t->rank,
		(unsigned long long)t->events);
	write_times(f, &t->all);
	fprintf(f, "},\n\"unlinked\": {\"kernels\": %llu, \"time_ns\": %lld},\n\"steps\": [",
		(unsigned long long)t->unlinked.kernels, (long long)t->unlinked.busy);
	for (unsigned i = 0; i < t->nsteps; i++) {
		fprintf(f, "%s\n  {\"number\": %u, \"host_start_ns\": %lld, \"host_ns\": %lld, ",
			i ? "," : "", i, (long long)(t->host[(size_t)2 * i] - t->host[0]),
			(long long)t->host[(size_t)2 * i + 1]);
		write_times(f, &t->steps[i]);
		fputc('}', f);
	}
	fputs("],\n\"ops\": [", f);
	for (unsigned i = 0; i < t->nrows; i++) {
		fputs(i ? "," : "", f);
		write_row(f, t, &t->rows[i]);
	}
	fputs("],\n\"kernels\": [", f);
	for (unsigned i = 0; i < t->nnames; i++)
		fprintf(f, "%s\n  {\"name\": \"%s\", \"count\": %llu, \"time_ns\": %lld}",
			i ? "," : "", t->names[i].name, (unsigned long long)t->names[i].works,
			(long long)t->names[i].time);
	fputs("]}\n", f);
}

struct tally *tally_open(const struct options *o, unsigned rank)
{
	struct tally *t = calloc(1, sizeof(*t));

	if (!t)
		abort();
	t->o = o;
	t->rank = rank;
	t->all.start = NSEC_NONE;
	return t;
}

bool tally_close(struct tally *t, uint64_t events, const char *path)
{
	FILE *f = fopen(path, "w");
	bool ok = f;

	t->events = events;
	if (f) {
		write_all(f, t);
		ok = !ferror(f);
		ok = fclose(f) == 0 && ok;
	}
	if (!ok)
		fprintf(stderr, "synth: %s: cannot write: %s\n", path, strerror(errno));
	free(t->rows);
	free(t->names);
	free(t->steps);
	free(t->host);
	free(t->edges);
	free(t);
	return ok;
}
