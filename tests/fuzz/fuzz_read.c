/*
 * fuzz_read.c - the reader on any bytes: it ends, and neither the fast reader, nor where
 * chunks end, nor how many threads there are makes a difference.
 */
#include "../unit/digest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static uint64_t read_as(const uint8_t *data, size_t n, struct read_options o, struct lp_error *err)
{
	struct trace *tr = trace_read_memory("t", data, n, o, err);
	uint64_t digest = tr ? digest_trace(tr) : 0;

	trace_free(tr);
	return digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct read_options careful = { .careful = true, .threads = 1, .chunk = (size_t)1 << 20 };
	struct read_options fast = { .threads = 1, .chunk = (size_t)1 << 20 };
	struct read_options pieces = { .threads = 2, .chunk = 1 + n % 61 };
	struct lp_error want = { "" }, got = { "" };
	uint64_t digest = read_as(data, n, careful, &want);

	if (read_as(data, n, fast, &got) != digest || strcmp(want.text, got.text) ||
	    read_as(data, n, pieces, &got) != digest || strcmp(want.text, got.text)) {
		fprintf(stderr, "readings differ: '%s' '%s'\n", want.text, got.text);
		abort();
	}
	return 0;
}
