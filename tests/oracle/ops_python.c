/*
 * On real traces with Python stacks: the rows of ops are the same with the frames in the
 * tree and without them. Exit 77 where the traces are not.
 */
#include "analysis/ops.h"
#include "base/table.h"
#include "trace/model.h"
#include "trace/read.h"

#include <stdio.h>
#include <unistd.h>

static const char *const traces[] = {
	"h100/google_owlv2-large-patch14-ensemble__1016001.json.gz",
	"h100/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz",
	"mi300/resnet_act_checkpoint.json.gz",
	"mi300/facebook_timesformer-base-finetuned-k400__1016002.json.gz",
	"inference/sglang_prefilldecode/sglang_Qwen3-8B_prefilldecode.json.gz",
	"inference/xdit_flux.1_aiter_sage/profile_trace_rank_0.json.gz",
	"perf_model/normalization/normalization_layer_test.json.gz",
};

static const struct lp_column *column(const struct lp_answer *a, const char *name)
{
	const struct lp_table *t = lp_answer_table(a, "ops");

	for (uint32_t i = 0; i < t->ncols; i++)
		if (!strcmp(t->cols[i].name, name))
			return &t->cols[i];
	return NULL;
}

static bool same_rows(const struct lp_answer *a, const struct lp_answer *b)
{
	static const char *const numbers[] = { "count", "kernels", "kernel_time_ns", "synthetic" };
	uint32_t n = lp_answer_table(a, "ops")->nrows;

	if (n != lp_answer_table(b, "ops")->nrows)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		if (strcmp(column(a, "name")->data.str[i], column(b, "name")->data.str[i]))
			return false;
		for (size_t c = 0; c < ARRAY_SIZE(numbers); c++)
			if (column(a, numbers[c])->data.i64[i] !=
			    column(b, numbers[c])->data.i64[i])
				return false;
	}
	return true;
}

static struct lp_answer *ops(struct trace *tr, enum tree_style tree)
{
	return ops_answer(tr, (struct lp_ops_options){ 0 }, (struct ops_hooks){ .tree = tree },
			  NULL);
}

static bool check(const char *path)
{
	struct lp_error err;
	struct trace *tr = trace_read(path, (struct read_options){ 0 }, &err);

	if (!tr) {
		printf("%s\n", err.text);
		return false;
	}
	model_build(tr);
	struct lp_answer *with = ops(tr, TREE_FULL), *without = ops(tr, TREE_NO_PYTHON);
	bool same = tr->nkind[KIND_PYTHON] && same_rows(with, without);
	printf("%s: %u frames, %u rows: %s\n", path, tr->nkind[KIND_PYTHON],
	       lp_answer_table(with, "ops")->nrows, same ? "the same" : "NOT the same");
	lp_answer_free(with);
	lp_answer_free(without);
	trace_free(tr);
	return same;
}

int main(int argc, char **argv)
{
	bool good = true;

	if (argc < 2 || access(argv[1], R_OK)) {
		puts("skipped: the traces are not here");
		return 77;
	}
	for (size_t i = 0; i < ARRAY_SIZE(traces); i++) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/%s", argv[1], traces[i]);
		good &= check(path);
	}
	return good ? 0 : 1;
}
