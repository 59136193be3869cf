/*
 * fuzz_answers.c - any bytes as a trace: every question, every format.
 *
 * Beside not crashing, one law: what is said does not depend on how the text was cut
 * into chunks.
 */
#include "longpole.h"
#include "trace/model.h"
#include "trace/read.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { QUESTIONS = 8 };

static struct lp_answer *ask(struct lp_trace *tr, unsigned question, struct lp_error *err)
{
	switch (question) {
	case 0:
		return lp_info(tr, err);
	case 1:
		return lp_check(tr, err);
	case 2:
		return lp_timeline(tr, (struct lp_timeline_options){ 0 }, err);
	case 3:
		return lp_kernels(tr, (struct lp_kernels_options){ 0 }, err);
	case 4:
		return lp_ops(tr, (struct lp_ops_options){ 0 }, err);
	case 5:
		return lp_ops(tr,
			      (struct lp_ops_options){ .rows = true, .link = LP_LINK_TRACELENS },
			      err);
	case 6:
		return lp_steps(tr, (struct lp_steps_options){ 0 }, err);
	default:
		return lp_critical_path(tr, (struct lp_critical_path_options){ 0 }, err);
	}
}

/* All that is said of a trace, one format per question in turn. */
static void say_all(struct lp_trace *tr, FILE *out)
{
	static const enum lp_format formats[] = { LP_TEXT, LP_CSV, LP_JSON, LP_MD };

	for (unsigned q = 0; q < QUESTIONS; q++) {
		struct lp_error err;
		struct lp_answer *a = ask(tr, q, &err);

		if (!a) {
			fprintf(out, "%s\n", err.text);
			continue;
		}
		/* csv is of one table */
		for (unsigned t = 0; t < a->ntables; t++)
			lp_write(a, formats[q % ARRAY_SIZE(formats)],
				 (struct lp_write_options){ .table = a->tables[t]->name }, out,
				 &err);
		lp_answer_free(a);
	}
}

static char *said(const uint8_t *data, size_t n, size_t chunk, size_t *size)
{
	struct lp_error err;
	struct trace *tr = trace_read_memory(
		"fuzz", data, n, (struct read_options){ .threads = 1, .chunk = chunk }, &err);
	char *text = NULL;
	FILE *out = open_memstream(&text, size);

	if (tr) {
		model_build(tr);
		say_all((struct lp_trace *)tr, out);
	} else {
		fputs(err.text, out);
	}
	fclose(out);
	if (tr)
		trace_free(tr);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	size_t size[2];
	char *whole = said(data, n, 0, &size[0]), *cut = said(data, n, 100, &size[1]);

	if (size[0] != size[1] || memcmp(whole, cut, size[0])) {
		fprintf(stderr, "whole:\n%s\nin chunks:\n%s\n", whole, cut);
		abort();
	}
	free(whole);
	free(cut);
	return 0;
}
