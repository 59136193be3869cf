/*
 * Any soup of events has a path: times full of ties, calls that wait for the wrong thing, work
 * before its launch, overlaps of all kinds. The program checks itself that the segments touch
 * and sum to the window, that the replay is exact and that no gain is above its bound; here
 * those checks are given a hard time, and the replay and slack are found once more by force.
 */
#include "prop.h"

#include "analysis/critpath_input.h"
#include "analysis/critpath_walk.h"
#include "analysis/slack.h"
#include "base/table.h"
#include "base/textbuf.h"
#include "trace/model.h"
#include "trace/read.h"

#include <string.h>

static const char *const calls[] = {
	"cudaLaunchKernel",      "cudaStreamSynchronize",
	"cudaDeviceSynchronize", "cudaEventQuery",
	"cudaEventRecord",       "cudaStreamWaitEvent",
	"cudaEventSynchronize",  "cudaMemcpyAsync",
	"hipMemcpyWithStream",   "cudaFree",
	"cudaGraphLaunch",       "cudaMalloc",
	"cudaLaunchKernel",      "cudaLaunchKernel",
};
static const char *const syncs[] = { "Stream Sync", "Context Sync", "Event Sync",
				     "Stream Wait Event" };

static unsigned pick(const char *const *list, size_t n, const char **out)
{
	unsigned i = prop_below((uint32_t)n);

	*out = list[i];
	return i;
}

static void soup_event(struct textbuf *b, unsigned span)
{
	unsigned ts = prop_below(span), dur = prop_below(4) ? prop_below(span / 3 + 1) : 0;
	unsigned correlation = 1 + prop_below(12), stream = prop_below(3), tid = prop_below(3);
	const char *name;

	textbuf_print(b, "%s{\"ph\":\"X\",\"ts\":%u,\"dur\":%u,", b->n > 20 ? ",\n" : "", ts, dur);
	switch (prop_below(8)) {
	case 0:
	case 1:
		textbuf_print(b, "\"cat\":\"cpu_op\",\"name\":\"op%u\",\"pid\":1,\"tid\":%u}",
			      prop_below(4), tid);
		break;
	case 2:
		textbuf_print(b, "\"cat\":\"%s\",\"name\":\"%s\",\"pid\":1,\"tid\":%u}",
			      prop_below(2) ? "python_function" : "user_annotation",
			      prop_below(2) ? "run_backward of x" : "enumerate(DataLoader)#n", tid);
		break;
	case 3:
	case 4:
		pick(calls, ARRAY_SIZE(calls), &name);
		textbuf_print(b,
			      "\"cat\":\"cuda_runtime\",\"name\":\"%s\",\"pid\":1,\"tid\":%u,"
			      "\"args\":{\"correlation\":%u}}",
			      name, tid, correlation);
		break;
	case 5:
		pick(syncs, ARRAY_SIZE(syncs), &name);
		textbuf_print(
			b,
			"\"cat\":\"cuda_sync\",\"name\":\"%s\",\"pid\":0,\"tid\":%u,\"args\":{"
			"\"correlation\":%u,\"stream\":%d,\"wait_on_stream\":%u,"
			"\"wait_on_cuda_event_record_corr_id\":%u,\"device\":0}}",
			name, stream, correlation, (int)stream - (int)prop_below(2), prop_below(3),
			1 + prop_below(12));
		break;
	default:
		textbuf_print(b,
			      "\"cat\":\"%s\",\"name\":\"k%u\",\"pid\":0,\"tid\":%u,\"args\":{"
			      "\"correlation\":%u,\"stream\":%u,\"device\":0}}",
			      prop_below(4) ? "kernel" : "gpu_memcpy", prop_below(4), stream,
			      correlation, stream);
	}
}

static struct trace *soup(struct arena *a)
{
	struct textbuf b = { .arena = a };
	unsigned n = 1 + prop_below(40), span = 2 + prop_below(prop_below(2) ? 20 : 200);
	struct lp_error err;

	textbuf_print(&b, "{\"traceEvents\":[\n");
	for (unsigned i = 0; i < n; i++)
		soup_event(&b, span);
	textbuf_print(&b, "\n]}");
	struct trace *tr = trace_read_memory("soup.json", b.p, b.n, (struct read_options){ 0 },
					     &err);
	if (!tr)
		fail_msg("%s", err.text);
	model_build(tr);
	return tr;
}

static void every_model_answers(void **unused)
{
	(void)unused;
	static const char *const what_if[] = { "gpu=2x", "cpu=0", "sync=0", "gpu_gap=4x",
					       "k.*=2x" };

	for (unsigned round = 0; round < PROP_ROUNDS(300); round++) {
		struct arena a = { 0 };
		struct lp_error err;
		prop_start(round);
		struct trace *tr = soup(&a);
		bool cut = prop_below(2);
		const char *window = arena_print(&a, "%uus..%uus", prop_below(50),
						 51 + prop_below(50));

		for (int model = LP_PATH_WALK; model <= LP_PATH_LONGEST; model++) {
			struct lp_critical_path_options o = { .model = (enum lp_path_model)model,
							      .what_if = what_if };
			o.nwhat_if = model == LP_PATH_WALK ? ARRAY_SIZE(what_if) - 1 : 0;
			o.window = cut && model != LP_PATH_HTA ? window : NULL;
			struct lp_answer *answer = lp_critical_path((struct lp_trace *)tr, o, &err);
			if (answer)
				lp_answer_free(answer);
			else
				PROP_CHECK(round, model == LP_PATH_HTA);
		}
		trace_free(tr);
		arena_free(&a);
	}
}

/* The finish of each node if node `late` takes `more`, by relaxing every edge over and over. */
static void relax(const struct path_graph *g, uint32_t late, nsec more, nsec *finish)
{
	for (uint32_t v = 0; v < g->dag.n; v++)
		finish[v] = INT64_MIN / 2;
	finish[0] = g->start;
	for (uint32_t round = 0; round < g->dag.n; round++)
		for (uint32_t v = 1; v < g->dag.n; v++)
			for (uint32_t e = g->dag.in[v]; e < g->dag.in[v + 1]; e++) {
				nsec t = finish[g->dag.src[e]] + g->lag[e] + g->node[v].end -
					 g->node[v].start + (v == late ? more : 0);
				finish[v] = MAX_OF(finish[v], t);
			}
}

static bool noticed(const struct path_graph *g, uint32_t node, nsec more, nsec end, nsec *finish)
{
	relax(g, node, more, finish);
	for (uint32_t v = 0; v < g->dag.n; v++)
		if (finish[v] > end)
			return true;
	return false;
}

static void replay_and_slack_by_force(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < PROP_ROUNDS(120); round++) {
		struct arena a = { 0 };
		uint32_t inferred;
		prop_start(round);
		struct trace *tr = soup(&a);
		struct path_graph *g = critpath_of_trace(tr, &a, &inferred);
		struct path_view v = critpath_view(g,
						   (struct path_window){ g->start, g->end, NONE });
		nsec *slack = slack_of_nodes(&v, &a), *finish = NEW(&a, g->dag.n, nsec);

		relax(g, 0, 0, finish);
		for (uint32_t i = 1; i < g->dag.n; i++) {
			PROP_CHECK(round, finish[i] == g->node[i].end || g->dag.n == 1);
			for (uint32_t e = g->dag.in[i]; e < g->dag.in[i + 1]; e++)
				PROP_CHECK(round, g->lag[e] >= 0 && g->dag.src[e] < i);
		}
		for (uint32_t i = 1; i < g->dag.n && !v.tail; i++) {
			if (slack[i] == NSEC_NONE)
				continue;
			PROP_CHECK(round, slack[i] >= 0);
			PROP_CHECK(round, !noticed(g, i, slack[i], g->end, finish));
			PROP_CHECK(round, noticed(g, i, slack[i] + 1, g->end, finish));
		}
		trace_free(tr);
		arena_free(&a);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_model_answers),
		cmocka_unit_test(replay_and_slack_by_force),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
