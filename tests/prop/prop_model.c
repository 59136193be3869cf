/*
 * Traces of nonsense: any phase, category, name, time and argument with any other. What
 * must hold of every trace must hold of them.
 */
#include "prop.h"

#include "base/textbuf.h"
#include "trace/link.h"
#include "trace/model.h"
#include "trace/pair.h"
#include "trace/read.h"

static const char *const phases[] = { "X", "X", "X", "X", "X", "B", "E", "b", "e",
				      "s", "f", "i", "M", "C", "S", "F", "t", "n" };
static const char *const categories[] = {
	"cpu_op",     "cuda_runtime", "cuda_driver",     "kernel",
	"gpu_memcpy", "nccl",         "python_function", "user_annotation",
	"cuda_sync",  "ac2g",         "fwdbwd",          "Trace",
	"",           "v8",           "overhead",        "gpu_user_annotation",
};
static const char *const names[] = {
	"a",
	"aten::mm",
	"cudaLaunchKernel",
	"cudaGraphLaunch",
	"ncclKernel",
	"ProfilerStep#1",
	"[memory]",
	"process_name",
	"thread_name",
	"Stream Wait Event",
	"Stream Sync",
	"Record Window End",
	"autograd::engine::evaluate_function: X",
};
static const char *const numbers[] = {
	"0",
	"1",
	"5",
	"10",
	"15",
	"20",
	"50",
	"100",
	"-3", /* from here on: not in tame traces */
	"null",
	"\"7\"",
	"0.001",
	"1e12",
	"4294967291",
	"3600000001",
	"1615207264500000",
	"1.5e15",
	"9223372036854775.807",
	"-9223372036854775.807",
	"18446744073709551615",
};
static const char *const keys[] = {
	"correlation",
	"External id",
	"stream",
	"device",
	"Sequence number",
	"Fwd thread id",
	"Python id",
	"Python parent id",
	"graph id",
	"graph node id",
	"wait_on_cuda_event_record_corr_id",
	"name",
	"Input Dims",
};
static const char *const values[] = { "0",
				      "1",
				      "2",
				      "3",
				      "-1",
				      "4294967295",
				      "9223372036854775807",
				      "\"0xfffffffffffffffff\"",
				      "\"stream 7\"",
				      "[1]",
				      "null",
				      "1.5",
				      "8589934593" };

#define PICK(list) list[prop_below(ARRAY_SIZE(list))]

static void random_event(struct textbuf *b, bool wild)
{
	uint32_t n = wild ? ARRAY_SIZE(numbers) : 8;

	textbuf_print(b,
		      "{\"ph\":\"%s\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":%u,\"tid\":%u,"
		      "\"ts\":%s,\"dur\":%s,\"id\":%u,\"args\":{",
		      PICK(phases), PICK(categories), PICK(names), prop_below(3), prop_below(3),
		      numbers[prop_below(n)], numbers[prop_below(n)], prop_below(3));
	for (uint32_t i = 0, args = prop_below(4); i < args; i++)
		textbuf_print(b, "%s\"%s\":%s", i ? "," : "", PICK(keys), PICK(values));
	textbuf_add(b, STR("}}"));
}

static struct trace *random_trace(struct arena *a)
{
	struct textbuf b = { .arena = a };
	uint32_t n = 1 + prop_below(14);
	bool wild = prop_below(2);
	struct lp_error err;

	textbuf_add(&b, STR("["));
	for (uint32_t i = 0; i < n; i++) {
		textbuf_add(&b, i ? STR(",") : STR(""));
		random_event(&b, wild);
	}
	textbuf_add(&b, STR("]"));
	struct trace *tr = trace_read_memory("t", b.p, b.n, (struct read_options){ .threads = 1 },
					     &err);
	assert_non_null(tr);
	model_build(tr);
	return tr;
}

/* All GPU work stands in its list once, stream by stream, valid times first, by start. */
static void check_gpu(unsigned round, const struct trace *tr)
{
	uint32_t n = 0;

	for (event_id e = 0; e < tr->ev.n; e++)
		n += kind_is_gpu(tr->ev.kind[e]) && trace_slice(tr, e);
	PROP_CHECK(round, tr->ngpu == n);
	for (uint32_t i = 0; i + 1 < n; i++) {
		event_id a = tr->gpu[i], b = tr->gpu[i + 1];
		if (tr->ev.lane[a] != tr->ev.lane[b])
			continue;
		PROP_CHECK(round, trace_timed(tr, a) || !trace_timed(tr, b));
		PROP_CHECK(round, !trace_timed(tr, b) || tr->ev.ts[a] <= tr->ev.ts[b]);
	}
}

/* The window holds all that is believed, and nothing believed is too large to add. */
static void check_times(unsigned round, const struct trace *tr)
{
	for (event_id e = 0; e < tr->ev.n; e++) {
		enum kind k = tr->ev.kind[e];
		if (!trace_slice(tr, e) || !trace_timed(tr, e))
			continue;
		PROP_CHECK(round, tr->ev.dur[e] >= 0 && trace_raw_dur(tr, e) >= tr->ev.dur[e]);
		PROP_CHECK(round, tr->base <= tr->ev.ts[e] && trace_end(tr, e) <= tr->last);
		if (kind_is_host(k) || kind_is_gpu(k))
			PROP_CHECK(round, tr->start <= tr->ev.ts[e] && trace_end(tr, e) <= tr->end);
	}
}

/* Each linked row is below its launch, and nowhere else. */
static void check_links(unsigned round, const struct trace *tr, const struct links *l)
{
	const struct tree *t = l->tree;
	uint32_t linked = 0;

	PROP_CHECK(round, l->first[t->n] == l->nlinked);
	for (node_id u = 0; u < t->n; u++)
		for (uint32_t k = l->first[u]; k < l->first[u + 1]; k++)
			PROP_CHECK(round, l->launch[l->below[k]] == t->event[u]);
	for (uint32_t i = 0; i < l->n; i++) {
		event_id launch = l->launch[i];
		linked += launch != NONE;
		PROP_CHECK(round, launch == NONE || tr->ev.kind[launch] != KIND_PYTHON);
		PROP_CHECK(round, links_row(tr, l, l->gpu[i]) == i);
	}
	PROP_CHECK(round, linked == l->nlinked);
}

static void check_pairs(unsigned round, const struct trace *tr, const struct pairs *p)
{
	uint32_t n = 0;

	for (event_id e = 0; e < tr->ev.n; e++) {
		event_id f = p->forward[e], b = p->backward[e];
		n += f != NONE;
		PROP_CHECK(round, f == NONE || p->backward[f] != NONE);
		PROP_CHECK(round, b == NONE || p->forward[b] == e);
	}
	PROP_CHECK(round, n == p->n);
}

static void the_model_of_nonsense_is_sound(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < PROP_ROUNDS(600); round++) {
		struct arena a = { 0 };
		prop_start(round);
		struct trace *tr = random_trace(&a);

		check_gpu(round, tr);
		check_times(round, tr);
		for (int style = 0; style < LINK_STYLES; style++)
			for (int tree = 0; tree < TREE_STYLES; tree++)
				check_links(round, tr,
					    trace_links(tr, (enum link_style)style,
							(enum tree_style)tree));
		check_pairs(round, tr, trace_pairs(tr));
		trace_free(tr);
		arena_free(&a);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_model_of_nonsense_is_sound),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
