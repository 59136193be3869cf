/*
 * Programs with known iterations: a set-up, a loop, an end; told in one of the ways a trace
 * can tell them (annotations known or not, Python frames, bare operators, kernels alone),
 * with phases that interleave, inner loops, polls that do almost nothing, a worker thread
 * for half of the work, and jitter in every length. What split_run() finds must be the
 * loop, or it must not claim to be sure.
 */
#include "prop.h"

#include "analysis/split_table.h"
#include "base/textbuf.h"
#include "trace/model.h"
#include "trace/read.h"

enum telling { SERVING, PROFILER, FAMILY, FRAMES, PERIODIC_FRAMES, OPERATORS, KERNELS, TELLINGS };

enum { MAIN = 100, WORKER = 200, MAX_ITERATIONS = 40 };

struct program {
	enum telling telling;
	uint32_t iterations, ops,
		inner; /* inner: how often each iteration repeats its last operator */
	bool worker, poll, prologue, epilogue, two_phases;
	struct textbuf text;
	uint32_t now, gpu_free, correlation;
	uint32_t start[MAX_ITERATIONS], end[MAX_ITERATIONS];
	uint32_t kernels, first_gpu[MAX_ITERATIONS];
};

static void event(struct program *p, const char *cat, const char *name, int pid, int tid,
		  uint32_t ts, uint32_t dur, const char *args)
{
	textbuf_print(
		&p->text,
		"%s{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%u,"
		"\"dur\":%u,\"args\":{%s}}",
		p->text.n > 20 ? ",\n" : "", cat, name, pid, tid, ts, dur, args);
}

/* A kernel of about `dur`, launched at `at`; on a stream that does one thing at a time. */
static void kernel(struct program *p, const char *name, int tid, uint32_t at, uint32_t dur)
{
	char args[64];
	uint32_t start = p->gpu_free > at + 5 ? p->gpu_free : at + 5;

	p->correlation++;
	snprintf(args, sizeof(args), "\"correlation\":%u,\"device\":0,\"stream\":7",
		 p->correlation);
	if (p->telling != KERNELS)
		event(p, "cuda_runtime", "cudaLaunchKernel", 1, tid, at, 2, args);
	event(p, "kernel", name, 0, 7, start, dur, args);
	p->gpu_free = start + dur;
	p->kernels++;
}

static uint32_t jitter(uint32_t around)
{
	return around * 9 / 10 + prop_below(around / 5 + 1);
}

static void operator(struct program *p, const char *name, const char *kernel_name, uint32_t gpu,
		     bool worker)
{
	int tid = worker ? WORKER : MAIN;
	uint32_t took = 20 + prop_below(5);

	if (p->telling != KERNELS)
		event(p, "cpu_op", name, 1, tid, p->now, took, "");
	kernel(p, kernel_name, tid, p->now + 3, gpu);
	p->now += took + 1 + prop_below(4);
}

static void body(struct program *p, uint32_t i)
{
	uint32_t phase = p->two_phases && i % 3 == 1;

	for (uint32_t k = 0; k < p->ops; k++) {
		char name[32], kernel_name[32];
		uint32_t id = phase * 10 + k, times = k + 1 == p->ops ? p->inner : 1;

		snprintf(name, sizeof(name), "aten::op%c", 'a' + id);
		snprintf(kernel_name, sizeof(kernel_name), "kernel_%c", 'a' + id);
		for (uint32_t t = 0; t < times; t++)
			operator(p, name, kernel_name, jitter(40), p->worker &&k % 2);
	}
}

static void iteration(struct program *p, uint32_t i)
{
	static const char *const pattern[] = {
		[SERVING] = "execute_context_0(0)_generation_%u(%u)",
		[PROFILER] = "ProfilerStep#%u",
		[FAMILY] = "train_iter %u",
		[FRAMES] = "engine.py(%2$u): step",
	};
	char name[64], args[32];
	uint32_t start = p->now++;

	p->first_gpu[i] = p->gpu_free > start + 9 ? p->gpu_free : start + 9;
	if (p->telling == PERIODIC_FRAMES) {
		uint32_t half = p->now;
		operator(p, "aten::prepare", "kernel_prepare", jitter(5), false);
		event(p, "python_function", "engine.py(7): prepare", 1, MAIN, half - 1,
		      p->now - half, "");
		half = p->now;
		body(p, i);
		event(p, "python_function", "engine.py(8): run", 1, MAIN, half - 1,
		      p->now - half + 1, "");
	} else {
		body(p, i);
	}
	p->start[i] = start;
	p->end[i] = p->now;
	if (p->telling <= FRAMES) {
		snprintf(name, sizeof(name), pattern[p->telling], i + 3, 12u);
		snprintf(args, sizeof(args), "\"External id\":%u", 100000 + i);
		event(p, p->telling == FRAMES ? "python_function" : "user_annotation", name, 1,
		      MAIN, start, p->now - start, args);
	}
	p->now += 1 + prop_below(6);
}

/* Looks like a loop, and is one, of no consequence: eight frames with hardly any work. */
static void poll_loop(struct program *p)
{
	uint32_t start = p->now++;

	for (int k = 0; k < 8; k++) {
		uint32_t at = p->now;
		operator(p, "aten::norm", "kernel_norm", 1, false);
		event(p, "python_function", "clip.py(3): grad_norm", 1, MAIN, at - 1,
		      p->now - at + 1, "");
		p->now++;
	}
	event(p, "python_function", "clip.py(1): poll", 1, MAIN, start, p->now - start, "");
	p->now += 3;
}

static struct program make_program(struct arena *a)
{
	struct program p = { .telling = prop_below(TELLINGS), .text = { .arena = a }, .now = 1000 };

	p.iterations = 5 + prop_below(20);
	p.ops = 3 + prop_below(4);
	p.inner = p.telling == KERNELS || p.telling == OPERATORS ? 1 : 1 + prop_below(3);
	p.worker = p.telling <= FAMILY && prop_below(2);
	p.two_phases = p.telling <= FRAMES && prop_below(2);
	p.prologue = prop_below(2);
	p.epilogue = prop_below(2);
	p.poll = p.telling == FRAMES && prop_below(2);
	textbuf_print(&p.text, "{\"traceEvents\":[\n");
	uint32_t begin = p.now++;
	if (p.prologue)
		operator(&p, "aten::setup", "kernel_setup", 5, false);
	if (p.poll)
		poll_loop(&p);
	uint32_t loop = p.now++;
	for (uint32_t i = 0; i < p.iterations; i++)
		iteration(&p, i);
	if (p.telling == FRAMES || p.telling == PERIODIC_FRAMES)
		event(&p, "python_function", "engine.py(2): loop", 1, MAIN, loop, p.now++ - loop,
		      "");
	if (p.epilogue)
		operator(&p, "aten::save", "kernel_save", 5, false);
	if (p.telling == FRAMES || p.telling == PERIODIC_FRAMES)
		event(&p, "python_function", "main.py(1): main", 1, MAIN, begin, p.now - begin, "");
	textbuf_print(&p.text, "\n]}\n");
	return p;
}

/* The starts are those of the program; kernels alone are known by where their tile begins. */
static bool exact(const struct program *p, const struct split_result *r)
{
	if (r->roots.n != p->iterations)
		return false;
	for (uint32_t i = 0; i < r->roots.n; i++) {
		nsec at = r->roots.root[i].start / 1000;
		uint32_t want = p->telling == KERNELS ? p->first_gpu[i] : p->start[i];
		nsec slack = p->telling == OPERATORS ? 8 : p->telling == KERNELS ? 10 : 2;

		if (at < want - 2 || at > (nsec)want + slack)
			return false;
	}
	return true;
}

static void loops_are_found_or_not_claimed(void **unused)
{
	(void)unused;
	unsigned rounds = PROP_ROUNDS(200), found = 0, silent = 0;

	for (unsigned round = 0; round < rounds; round++) {
		struct arena a = { 0 };
		prop_start(round);
		struct program p = make_program(&a);
		struct trace *tr = trace_read_memory("program", p.text.p, p.text.n,
						     (struct read_options){ .threads = 1 }, NULL);
		assert_non_null(tr);
		model_build(tr);
		struct split_result r = split_run(tr, (struct split_options){ NULL }, &a);
		bool good = exact(&p, &r) && r.roots.status == SPLIT_YES;

		found += good;
		if (!good)
			print_message(
				"round %u: telling %d, %u iterations; found %u by %s, status %d\n",
				round, p.telling, p.iterations, r.roots.n, r.roots.method,
				r.roots.status);
		silent += !exact(&p, &r) && r.roots.status == SPLIT_YES;
		uint32_t gpu = 0;
		for (uint32_t i = 0; r.slices.n && i < r.slices.n + 2; i++)
			gpu += r.slices.at[i].gpu_events;
		PROP_CHECK(round, !r.slices.n || gpu == p.kernels);
		trace_free(tr);
		arena_free(&a);
	}
	print_message("%u of %u exact, %u wrong and sure of it\n", found, rounds, silent);
	assert_true(100 * found >= 99 * rounds);
	assert_int_equal(silent, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(loops_are_found_or_not_claimed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
