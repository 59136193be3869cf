/*
 * profile_text.h - for tests: profiles from text, and back to one line per stack.
 *
 *	"a;b 3\na;c 1\n"    in canonical order, weights at the scale of the thread
 */
#ifndef TESTS_PROFILE_TEXT_H
#define TESTS_PROFILE_TEXT_H

#include "profile/profile_read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static inline struct profile *profile_from(const char *text, size_t n, struct profile_options o)
{
	struct profile *p = NULL;
	struct lp_error err = { 0 };

	if (profile_read_memory("test", text, n, o, &p, &err) != PROFILE_READ)
		fail_msg("refused: %s", err.text);
	return p;
}

static inline void put_stack(FILE *out, const struct profile *p, stack_id s)
{
	if (p->stacks.prefix[s] != NONE) {
		put_stack(out, p, p->stacks.prefix[s]);
		fputc(';', out);
	}
	struct str name = profile_name(p, p->stacks.func[s]);

	fwrite(name.p, 1, name.n, out);
}

/* Of one thread; stacks of sum 0 are left out. The caller frees it. */
static inline char *profile_lines(const struct profile *p, uint32_t thread)
{
	int64_t *sum = calloc(p->stacks.n + 1, sizeof(*sum));
	const struct profile_thread *t = &p->threads[thread];
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = t->first; i < t->first + t->n; i++)
		if (p->samples.stack[i] != NONE)
			sum[p->samples.stack[i]] += samples_weight(&p->samples, i);
	for (stack_id s = 0; s < p->stacks.n; s++)
		if (sum[s]) {
			put_stack(out, p, s);
			fprintf(out, " %lld\n", (long long)sum[s]);
		}
	fclose(out);
	free(sum);
	return text;
}

static inline void assert_profile(const char *text, size_t n, struct profile_options o,
				  uint32_t thread, const char *lines)
{
	struct profile *p = profile_from(text, n, o);
	char *got = profile_lines(p, thread);

	assert_string_equal(got, lines);
	free(got);
	profile_free(p);
}

#define READS(text, lines) \
	assert_profile(text, sizeof(text) - 1, (struct profile_options){ 0 }, 0, lines)

static inline void assert_refused(const char *text, const char *why)
{
	struct profile *p = NULL;
	struct lp_error err = { 0 };

	assert_int_equal(profile_read_memory("test", text, strlen(text),
					     (struct profile_options){ 0 }, &p, &err),
			 PROFILE_REFUSED);
	if (!strstr(err.text, why))
		fail_msg("refused with \"%s\", not \"%s\"", err.text, why);
}

#endif
