/* Pictures of random traces: nothing is lost at any grain, and tiles put together are the whole. */
#include "prop.h"

#include "../unit/asked.h"
#include "base/table.h"
#include "base/textbuf.h"
#include "longpole.h"
#include "trace/model.h"
#include "trace/read.h"

#include <string.h>

/* ---- Random traces: calls that nest or not, launches, work, annotations ---- */

static void add_event(struct textbuf *t, const char *cat, const char *name, int pid, uint32_t tid,
		      uint32_t ts, uint32_t dur, uint32_t correlation)
{
	textbuf_print(
		t,
		"{\"ph\": \"X\", \"cat\": \"%s\", \"name\": \"%s\", \"pid\": %d, \"tid\": %u, "
		"\"ts\": %u.%03u, \"dur\": %u.%03u, \"args\": {\"correlation\": %u, "
		"\"device\": 0, \"stream\": %u}},\n",
		cat, name, pid, tid, ts / 1000, ts % 1000, dur / 1000, dur % 1000, correlation,
		tid);
}

static uint32_t random_length(void)
{
	return prop_below(1u << (4 + 2 * prop_below(8)));
}

static struct trace *random_trace(struct arena *a)
{
	static const char *const ops[] = { "op_a", "op_b", "op_c" };
	struct textbuf t = { .arena = a };
	struct lp_error err;
	uint32_t n = prop_below(400), span = 1u << (10 + prop_below(12));

	textbuf_add(&t, STR("{\"traceEvents\": [\n"));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = prop_below(span), dur = random_length(), tid = 1 + prop_below(2);
		switch (prop_below(4)) {
		case 0:
			add_event(&t, "user_annotation", "step", 100, tid, at, 8 * dur, 0);
			break;
		case 1:
			add_event(&t, "cuda_runtime", "cudaLaunchKernel", 100, tid, at, dur, i + 1);
			add_event(&t, "kernel", "gemm", 0, 7 + prop_below(2), at + dur / 2,
				  random_length(), i + 1);
			break;
		default:
			add_event(&t, "cpu_op", ops[i % 3], 100, tid, at, 2 * dur, 0);
		}
	}
	textbuf_add(&t, STR("{}]}"));
	struct trace *tr = trace_read_memory("made.json", t.p, t.n, (struct read_options){ 0 },
					     &err);
	model_build(tr);
	return tr;
}

/* ---- Rows ---- */

struct picture_rows {
	uint32_t n;
	const int64_t *lane, *start, *dur, *depth, *on_path, *count, *gaps, *launch;
	const char *const *name, *const *class;
	int64_t grain, window;
	const int64_t *events; /* of each lane */
	uint32_t nlanes;
};

static struct picture_rows rows_of(const struct lp_answer *a)
{
	const char *t = "picture_events";

	return (struct picture_rows){
		.n = lp_answer_table(a, t)->nrows,
		.lane = asked_column(a, t, "lane")->data.i64,
		.start = asked_column(a, t, "start_ns")->data.i64,
		.dur = asked_column(a, t, "dur_ns")->data.i64,
		.depth = asked_column(a, t, "depth")->data.i64,
		.on_path = asked_column(a, t, "on_path_ns")->data.i64,
		.count = asked_column(a, t, "count")->data.i64,
		.gaps = asked_column(a, t, "gaps_ns")->data.i64,
		.launch = asked_column(a, t, "launch")->data.i64,
		.name = asked_column(a, t, "name")->data.str,
		.class = asked_column(a, t, "class")->data.str,
		.grain = asked_column(a, "picture", "grain_ns")->data.i64[0],
		.window = asked_column(a, "picture", "window_ns")->data.i64[0],
		.events = asked_column(a, "picture_lanes", "events")->data.i64,
		.nlanes = lp_answer_table(a, "picture_lanes")->nrows,
	};
}

static bool in_order(const struct picture_rows *r, uint32_t i)
{
	if (r->lane[i] != r->lane[i - 1])
		return r->lane[i] > r->lane[i - 1];
	if (r->depth[i] != r->depth[i - 1])
		return r->depth[i] > r->depth[i - 1];
	return r->start[i] >= r->start[i - 1];
}

/* But for rounding, bars of one depth do not overlap, as long as there are not very many. */
static bool is_free(const struct picture_rows *r, uint32_t i)
{
	return r->lane[i] != r->lane[i - 1] || r->depth[i] != r->depth[i - 1] ||
	       r->start[i - 1] + r->dur[i - 1] <= r->start[i] + 1 || r->depth[i] >= 32 || r->grain;
}

struct sums {
	int64_t path, on_path, busy[64], count[64];
};

static struct sums sums_of(const struct picture_rows *r)
{
	struct sums s = { 0 };

	for (uint32_t i = 0; i < r->n; i++) {
		*(r->lane[i] ? &s.on_path : &s.path) += r->on_path[i];
		s.busy[r->lane[i]] += r->dur[i] - r->gaps[i];
		s.count[r->lane[i]] += r->count[i];
	}
	return s;
}

/* A random trace and its picture. */
struct drawn {
	struct arena arena;
	struct trace *tr;
	struct lp_picture *p;
};

static void drawn_open(struct drawn *d)
{
	struct lp_error err;

	*d = (struct drawn){ 0 };
	d->tr = random_trace(&d->arena);
	d->p = lp_picture_open((struct lp_trace *)d->tr, &err);
}

static void drawn_close(struct drawn *d)
{
	lp_picture_close(d->p);
	trace_free(d->tr);
	arena_free(&d->arena);
}

static const int64_t grains[] = { 0, 1, 1000, 5000, 1000000, INT64_MAX };

static void nothing_is_lost_at_any_grain(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < PROP_ROUNDS(150); round++) {
		struct drawn d;
		struct lp_error err;

		prop_start(round);
		drawn_open(&d);
		struct sums exact = { 0 };
		uint32_t most = UINT32_MAX;
		for (size_t g = 0; g < ARRAY_SIZE(grains); g++) {
			struct lp_answer *answer = lp_picture_tile(
				d.p, (struct lp_picture_options){ .grain_ns = grains[g] }, &err);
			struct picture_rows r = rows_of(answer);
			struct sums s = sums_of(&r);
			for (uint32_t i = 1; i < r.n; i++)
				PROP_CHECK(round, in_order(&r, i) && is_free(&r, i));
			for (uint32_t i = 0; i < r.nlanes; i++)
				PROP_CHECK(round, s.count[i] == r.events[i]);
			PROP_CHECK(round, s.path == r.window && s.on_path <= r.window);
			exact = g ? exact : s;
			PROP_CHECK(round, !memcmp(&s, &exact, sizeof(s)) && r.n <= most);
			most = r.n;
			lp_answer_free(answer);
		}
		drawn_close(&d);
	}
}

/* ---- Tiles ---- */

static bool same_row(const struct picture_rows *x, uint32_t i, const struct picture_rows *y,
		     uint32_t j)
{
	return x->lane[i] == y->lane[j] && x->depth[i] == y->depth[j] &&
	       x->start[i] == y->start[j] && x->dur[i] == y->dur[j] && x->name[i] == y->name[j] &&
	       x->class[i] == y->class[j] && x->on_path[i] == y->on_path[j] &&
	       x->count[i] == y->count[j] && x->gaps[i] == y->gaps[j];
}

/* Each row of the tile is one of the whole; marks them. They stand in the same order. */
static bool is_part(const struct picture_rows *tile, const struct picture_rows *whole, bool *seen)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < tile->n; i++, at++) {
		while (at < whole->n && !same_row(tile, i, whole, at))
			at++;
		if (at == whole->n)
			return false;
		seen[at] = true;
	}
	return true;
}

static void tiles_put_together_are_the_whole(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < PROP_ROUNDS(150); round++) {
		struct drawn d;
		struct lp_error err;

		prop_start(round);
		drawn_open(&d);
		struct lp_picture_options o = { .grain_ns = grains[prop_below(5)] };
		struct lp_answer *answer = lp_picture((struct lp_trace *)d.tr, o, &err);
		struct picture_rows whole = rows_of(answer);
		bool *seen = NEW(&d.arena, whole.n + 1, bool);
		int64_t end = 1 << 23;

		for (o.start_ns = 0; o.start_ns < end; o.start_ns = o.end_ns) {
			o.end_ns = o.start_ns + 1 + prop_below(1u << (8 + prop_below(16)));
			o.end_ns = o.end_ns < end ? o.end_ns : end;
			struct lp_answer *part = lp_picture_tile(d.p, o, &err);
			struct picture_rows tile = rows_of(part);
			PROP_CHECK(round, is_part(&tile, &whole, seen));
			lp_answer_free(part);
		}
		for (uint32_t i = 0; i < whole.n; i++)
			PROP_CHECK(round, seen[i]);
		lp_answer_free(answer);
		drawn_close(&d);
	}
}

static void a_coarser_grain_is_chosen_where_rows_are_too_many(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < PROP_ROUNDS(100); round++) {
		struct drawn d;
		struct lp_error err;

		prop_start(round);
		drawn_open(&d);
		struct lp_picture_options o = { .max_events = 60 + prop_below(100) };
		struct lp_answer *few = lp_picture_tile(d.p, o, &err);
		struct picture_rows r = rows_of(few);

		PROP_CHECK(round, r.n <= o.max_events || r.grain >= 1 << 30);
		if (r.grain) { /* the next finer one would not do */
			struct lp_answer *more = lp_picture_tile(
				d.p,
				(struct lp_picture_options){ .grain_ns = r.grain > 256 ? r.grain / 4
										       : 0 },
				&err);
			PROP_CHECK(round, rows_of(more).n > o.max_events);
			lp_answer_free(more);
		}
		lp_answer_free(few);
		drawn_close(&d);
	}
}

static void launches_are_rows(void **unused)
{
	(void)unused;
	unsigned found = 0;

	for (unsigned round = 0; round < PROP_ROUNDS(100); round++) {
		struct arena a = { 0 };
		struct lp_error err;

		prop_start(round);
		struct trace *tr = random_trace(&a);
		for (size_t g = 0; g < 3; g++) {
			struct lp_answer *answer = lp_picture(
				(struct lp_trace *)tr,
				(struct lp_picture_options){ .grain_ns = grains[2 * g] }, &err);
			struct picture_rows r = rows_of(answer);
			for (uint32_t i = 0; i < r.n; i++) {
				if (r.launch[i] == LP_NULL)
					continue;
				uint32_t by = (uint32_t)r.launch[i];
				PROP_CHECK(round, by < r.n && r.start[by] <= r.start[i]);
				PROP_CHECK(round, g || !strcmp(r.name[by], "cudaLaunchKernel"));
				found++;
			}
			lp_answer_free(answer);
		}
		trace_free(tr);
		arena_free(&a);
	}
	assert_true(found > 100);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_lost_at_any_grain),
		cmocka_unit_test(tiles_put_together_are_the_whole),
		cmocka_unit_test(a_coarser_grain_is_chosen_where_rows_are_too_many),
		cmocka_unit_test(launches_are_rows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
