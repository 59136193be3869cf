/*
 * Walking the lines of the program with clocks.
 *
 * Each host thread has a time and a stack of open frames; a line closes the frames at
 * its depth and deeper, whose ends are then known. A stream has the time it is free
 * from: work starts there or shortly after its launch, whichever is later.
 *
 * Collectives start when they can but end everywhere at once, so their ends are known
 * only when all ranks have got to their last one: hence a step runs in two parts.
 */
#include "synth.h"

#include <stdio.h>
#include <stdlib.h>

#define US    ((nsec)1000)
#define ITEMS 24 /* that the loader reads for a step, per layer of the model */

static void *grow(void *p, size_t n, size_t size)
{
	p = realloc(p, n * size);
	if (!p) {
		fputs("synth: out of memory\n", stderr);
		exit(2);
	}
	return p;
}

/* Uniform in [0, 1 << 32). */
static uint32_t rank_random(struct rank *r)
{
	uint64_t z = r->random += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return (uint32_t)((z ^ (z >> 31)) >> 32);
}

/* Around `mean`, by at most a `part`-th of it to either side. */
static nsec about(struct rank *r, nsec mean, nsec part)
{
	nsec spread = mean / part;

	return mean - spread + (nsec)((uint64_t)rank_random(r) * (uint64_t)(2 * spread + 1) >> 32);
}

void rank_init(struct rank *r, const struct options *o, unsigned number)
{
	unsigned slots = (o->layers + 1) * SEQ_SLOTS;

	*r = (struct rank){
		.o = o,
		.number = number,
		.world = o->ranks > 1   ? o->ranks
			 : o->inference ? 1
					: 8,
		.random = o->seed * 0x2545f4914f6cdd1d + number,
		.next_ext = 1,
		.next_corr = 1,
		.next_seq = 1,
		.next_flow = 1,
		.next_py = 1,
	};
	r->seq = grow(NULL, slots, sizeof(*r->seq));
	/* Host and GPU clocks of all ranks agree; they start at no round number. */
	r->host[THREAD_MAIN].now = 6520430064204583;
}

void rank_free(struct rank *r)
{
	free(r->seq);
	free(r->records);
	free(r->collectives);
}

static nsec end_of(const struct record *rec)
{
	return rec->ts + rec->dur;
}

static uint32_t add_record(struct rank *r, struct record rec)
{
	if (r->n == r->cap) {
		r->cap = r->cap ? 2 * r->cap : 4096;
		r->records = grow(r->records, r->cap, sizeof(*r->records));
	}
	r->records[r->n] = rec;
	return r->n++;
}

static void close_to(struct rank *r, struct host *h, unsigned depth)
{
	while (h->depth && h->open[h->depth - 1].depth >= depth) {
		struct record *rec = &r->records[h->open[--h->depth].record];

		h->now += about(r, 900, 2);
		rec->dur = h->now - rec->ts;
	}
}

/* The innermost open frame for which `line` says yes; NONE if there is none. */
static uint32_t find_open(const struct rank *r, const struct host *h,
			  bool (*yes)(const struct line *line))
{
	for (unsigned i = h->depth; i-- > 0;)
		if (yes(r->records[h->open[i].record].line))
			return h->open[i].record;
	return NONE;
}

static bool is_op(const struct line *line)
{
	return line->kind == LINE_OP;
}

static bool is_py(const struct line *line)
{
	return line->kind == LINE_PY;
}

static bool is_note(const struct line *line)
{
	return line->kind == LINE_NOTE;
}

static bool is_owner(const struct line *line)
{
	return line->owner == OWNER_THIS;
}

static uint32_t ext_of(const struct rank *r, uint32_t record)
{
	return record == NONE ? 0 : r->records[record].ext;
}

/* ---- Frames: operators, Python functions, annotations ---- */

static enum record_kind frame_kind(const struct line *line)
{
	return line->kind == LINE_OP ? RECORD_OP : line->kind == LINE_PY ? RECORD_PY : RECORD_NOTE;
}

/* Forward gives the number and keeps it; backward takes it, and the flow at its outermost op. */
static void set_sequence(struct rank *r, uint32_t id, unsigned layer, bool backward)
{
	struct record *rec = &r->records[id];
	uint32_t *slot = &r->seq[layer * SEQ_SLOTS + rec->line->seq];

	if (!backward) {
		rec->seq = r->next_seq++;
		rec->flow = r->next_flow++;
		*slot = id;
		return;
	}
	rec->seq = r->records[*slot].seq;
	rec->flow = rec->line->depth == 0 ? r->records[*slot].flow : 0;
}

static void open_frame(struct rank *r, enum thread t, const struct line *line, unsigned layer)
{
	struct host *h = &r->host[t];
	struct record rec = {
		.ts = h->now,
		.line = line,
		.kind = frame_kind(line),
		.thread = t,
		.layer = layer,
		.instance = NONE,
	};

	if (line->kind == LINE_PY) {
		uint32_t up = find_open(r, h, is_py);

		rec.py = r->next_py++;
		rec.up = up == NONE ? 0 : r->records[up].py;
	} else {
		rec.ext = r->next_ext++;
	}

	uint32_t id = add_record(r, rec);

	if (line->kind == LINE_NOTE && line->depth == 0)
		r->step_note = id;
	if (line->seq && !r->o->inference)
		set_sequence(r, id, layer, t == THREAD_BACKWARD);
	h->open[h->depth++] = (struct frame){ id, line->depth };
	h->now += about(r, line->host * US / 10, 4);
}

/* ---- Host calls and the work they put on streams ---- */

/* A host call of about `dur`; returns its record. */
static uint32_t call(struct rank *r, enum thread t, const struct line *line, enum api api, nsec dur)
{
	struct host *h = &r->host[t];
	uint32_t id = add_record(r, (struct record){
					    .ts = h->now,
					    .dur = about(r, dur, 3),
					    .line = line,
					    .kind = RECORD_CALL,
					    .thread = t,
					    .api = api,
					    .corr = r->next_corr++,
					    .ext = ext_of(r, find_open(r, h, is_op)),
					    .instance = NONE,
				    });

	h->now += r->records[id].dur + about(r, line->host * US / 10, 2);
	return id;
}

static enum api launch_api(const struct work *w)
{
	return w->kind == WORK_MEMCPY ? API_COPY : w->kind == WORK_MEMSET ? API_SET : API_LAUNCH;
}

static void add_collective(struct rank *r, uint32_t id)
{
	if (r->ncollectives == r->collectives_cap) {
		r->collectives_cap = r->collectives_cap ? 2 * r->collectives_cap : 64;
		r->collectives = grow(r->collectives, r->collectives_cap, sizeof(*r->collectives));
	}
	r->collectives[r->ncollectives++] = id;
}

/* The output of a forward kernel is kept until backward. */
static void note_memory(struct rank *r, enum thread t, const struct line *line, nsec at)
{
	const uint32_t bytes = 16 << 20;
	bool frees = t == THREAD_BACKWARD;

	if (!r->o->memory || (frees && r->allocated < bytes))
		return;
	r->allocated += frees ? -(uint64_t)bytes : bytes;
	add_record(r, (struct record){
			      .ts = at,
			      .line = line,
			      .kind = RECORD_MEMORY,
			      .thread = t,
			      .seq = (uint32_t)(r->allocated >> 20),
			      .other = bytes,
			      .instance = NONE,
			      .frees = frees,
		      });
}

static void launch(struct rank *r, enum thread t, const struct line *line)
{
	const struct work *w = &works[line->work];
	nsec *free_at = &r->free[w->stream];
	uint32_t owner = line->owner ? NONE : find_open(r, &r->host[t], is_owner);

	if (w->kind == WORK_KERNEL && w->class == WORK_COMPUTE)
		note_memory(r, t, line, r->host[t].now);

	uint32_t from = call(r, t, line, launch_api(w), 4200);
	nsec soonest = r->records[from].ts + about(r, 5200, 4);
	uint32_t id = add_record(r, (struct record){
					    .ts = MAX_OF(soonest, *free_at + about(r, 1100, 3)),
					    .dur = w->class == WORK_COMM ? 0 : about(r, w->dur, 8),
					    .line = line,
					    .kind = RECORD_WORK,
					    .stream = w->stream,
					    .corr = r->records[from].corr,
					    .ext = r->records[from].ext,
					    .instance = owner,
				    });

	if (w->class == WORK_COMM) {
		r->records[id].other = find_open(r, &r->host[t], is_note);
		add_collective(r, id);
	} else {
		*free_at = end_of(&r->records[id]);
	}
	if (r->gpu_start == NSEC_NONE && w->stream == STREAM_COMPUTE)
		r->gpu_start = r->records[id].ts;
}

static void wait_stream(struct rank *r, enum thread t, const struct line *line)
{
	uint32_t recorded = call(r, t, line, API_RECORD, 1300);
	uint32_t waits = call(r, t, line, API_WAIT, 1600);
	nsec at = r->records[waits].ts + 400;

	r->free[line->stream] = MAX_OF(r->free[line->stream], r->free[line->other]);
	add_record(r, (struct record){
			      .ts = at,
			      .dur = 900,
			      .line = line,
			      .kind = RECORD_SYNC,
			      .stream = line->stream,
			      .api = API_WAIT,
			      .corr = r->records[waits].corr,
			      .ext = r->records[waits].ext,
			      .other = r->records[recorded].corr,
			      .instance = NONE,
		      });
}

static void sync_stream(struct rank *r, enum thread t, const struct line *line)
{
	struct host *h = &r->host[t];
	uint32_t id = call(r, t, line, API_SYNC, 1900);
	struct record *rec = &r->records[id];
	nsec end = MAX_OF(rec->ts + rec->dur, r->free[line->stream] + about(r, 1500, 3));

	rec->dur = end - rec->ts;
	h->now = end + about(r, 700, 3);

	struct record row = *rec;

	row.kind = RECORD_SYNC;
	row.stream = line->stream;
	row.ts += 300;
	row.dur -= 300;
	add_record(r, row);
}

/* ---- Lines, sections, steps ---- */

static void walk_line(struct rank *r, enum thread t, const struct line *line, unsigned layer)
{
	close_to(r, &r->host[t], line->depth);
	if (line->kind == LINE_PY && !r->o->python)
		return;
	switch ((enum line_kind)line->kind) {
	case LINE_OP:
	case LINE_PY:
	case LINE_NOTE:
		open_frame(r, t, line, layer);
		break;
	case LINE_LAUNCH:
		launch(r, t, line);
		break;
	case LINE_WAIT:
		wait_stream(r, t, line);
		break;
	case LINE_SYNC:
		sync_stream(r, t, line);
		break;
	case LINE_CALL:
		call(r, t, line, APIS, 700);
		break;
	}
}

static unsigned times(const struct rank *r, enum section_repeat repeat)
{
	switch (repeat) {
	case ONCE:
		return 1;
	case EACH_LAYER:
	case EACH_LAYER_BACKWARD:
		return r->o->layers;
	case EACH_FOURTH_LAYER:
		return r->o->layers / 4;
	case EACH_ITEM:
		return ITEMS * (r->o->layers + 1);
	}
	return 0;
}

static void walk_section(struct rank *r, const struct section *s)
{
	unsigned n = times(r, s->repeat);

	for (unsigned i = 0; i < n; i++) {
		unsigned layer = s->repeat == ONCE || s->repeat == EACH_ITEM ? r->o->layers
				 : s->repeat == EACH_LAYER_BACKWARD          ? n - 1 - i
									     : i;

		for (unsigned k = 0; k < s->n; k++)
			walk_line(r, s->thread, &s->lines[k], layer);
	}
}

/* The backward thread wakes a little after it is asked, and the caller a little after it is done.
 */
static void change_thread(struct rank *r, enum thread from, enum thread to)
{
	if (from == THREAD_BACKWARD)
		close_to(r, &r->host[from], 0);
	r->host[to].now = MAX_OF(r->host[to].now, r->host[from].now + about(r, 24 * US, 3));
}

static void walk_sections(struct rank *r, bool after)
{
	enum thread t = THREAD_MAIN;

	for (unsigned i = 0; i < nsections; i++) {
		const struct section *s = &sections[i];

		if (s->after_collectives != after || (s->training && r->o->inference))
			continue;
		if (s->thread != t)
			change_thread(r, t, s->thread);
		t = s->thread;
		walk_section(r, s);
	}
	if (t != THREAD_MAIN)
		change_thread(r, t, THREAD_MAIN);
}

/* Work that was put on the stream before the recording began. */
static void walk_unlinked(struct rank *r)
{
	nsec *free_at = &r->free[STREAM_COMPUTE];

	*free_at = r->host[THREAD_MAIN].now;
	for (unsigned i = 0; i < r->o->unlinked; i++) {
		uint32_t id = add_record(r, (struct record){
						    .ts = *free_at + about(r, 1100, 3),
						    .dur = about(r, 9000, 4),
						    .line = &unlinked_line,
						    .kind = RECORD_WORK,
						    .stream = STREAM_COMPUTE,
						    .corr = r->next_corr++,
						    .instance = NONE,
					    });

		*free_at = end_of(&r->records[id]);
	}
}

void walk_before(struct rank *r, unsigned step)
{
	r->n = 0;
	r->ncollectives = 0;
	r->gpu_start = NSEC_NONE;
	if (step == 0)
		walk_unlinked(r);
	walk_sections(r, false);
}

/* Kineto shows annotations on the GPU too, from the first to the last work below them. */
static void note_on_gpu(struct rank *r, uint32_t note, enum stream s, nsec from, nsec to)
{
	struct record rec = r->records[note];

	rec.kind = RECORD_GPU_NOTE;
	rec.stream = s;
	rec.ts = from;
	rec.dur = to - from;
	add_record(r, rec);
}

static void end_collective(struct rank *r, uint32_t id, nsec end)
{
	struct record *rec = &r->records[id];

	rec->dur = end - rec->ts;
	r->free[STREAM_NCCL] = r->collective_end = end;
	note_on_gpu(r, rec->other, STREAM_NCCL, rec->ts, end);
}

void walk_collectives(struct rank *ranks, unsigned n)
{
	for (uint32_t k = 0; k < ranks[0].ncollectives; k++) {
		nsec transfer = works[ranks[0].records[ranks[0].collectives[k]].line->work].dur;
		nsec last = 0;

		for (unsigned i = 0; i < n; i++) {
			struct rank *r = &ranks[i];
			struct record *rec = &r->records[r->collectives[k]];

			rec->ts = MAX_OF(rec->ts, r->collective_end + about(r, 1300, 3));
			last = MAX_OF(last, rec->ts);
		}
		if (n == 1 && rank_random(ranks) & 1) /* the other ranks exist, but not as files */
			last += about(ranks, 150 * US, 1);
		last += about(ranks, transfer, 8);
		for (unsigned i = 0; i < n; i++)
			end_collective(&ranks[i], ranks[i].collectives[k], last);
	}
}

void walk_after(struct rank *r)
{
	struct host *h = &r->host[THREAD_MAIN];

	walk_sections(r, true);
	close_to(r, h, 0);
	note_on_gpu(r, r->step_note, STREAM_COMPUTE, r->gpu_start, r->free[STREAM_COMPUTE]);
	h->now += about(r, 30 * US, 3);
}
