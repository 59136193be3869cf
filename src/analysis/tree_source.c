/*
 * Profiles to make trees of: from files of stacks, from traces, from two profiles. What a
 * file is shows when it is read; a list of events is handed to the reader of traces, and
 * back if it turns out to hold the profile of a JavaScript engine.
 */
#include "analysis/tree_handle.h"
#include "profile/chrome_profile.h"
#include "profile/from_trace.h"
#include "profile/profile_read.h"
#include "trace/model.h"
#include "trace/read.h"
#include "base/alloc.h"

#include <stdlib.h>

static struct lp_profile *handle(struct profile *p, struct trace *tr, struct lp_profile_options o)
{
	struct lp_profile *h = alloc_checked(calloc(1, sizeof(*h)));
	h->p = p;
	h->tr = tr;
	h->sums = o.sums;
	for (size_t i = 0; !tr && p->samples.time && i < p->samples.n; i++)
		if (p->samples.time[i] != NSEC_NONE && (!h->base || p->samples.time[i] < h->base))
			h->base = p->samples.time[i];
	if (tr)
		h->base = tr->base;
	return h;
}

static bool trace_weight(const char *text, enum trace_weight *out, struct lp_error *err)
{
	static const char *const names[] = {
		[TRACE_CPU] = "cpu", [TRACE_GPU] = "gpu", [TRACE_CALLS] = "samples"
	};

	*out = TRACE_CPU;
	for (size_t i = 0; text && i < ARRAY_SIZE(names); i++)
		if (!strcmp(text, names[i])) {
			*out = (enum trace_weight)i;
			return true;
		}
	return !text ||
	       error_set(err, "a trace can be weighed by cpu, gpu or samples, not by '%.60s'",
			 text);
}

struct lp_profile *lp_profile_of_trace(struct lp_trace *handle_of_trace,
				       struct lp_profile_options o, struct lp_error *err)
{
	struct trace *tr = (struct trace *)handle_of_trace;
	struct trace_stacks s = { .kernels = o.kernels, .instances = o.instances, .sums = o.sums };
	bool chrome = !o.weight && chrome_has_profiles(tr);
	struct profile *p;

	if (!chrome && !trace_weight(o.weight, &s.weight, err))
		return NULL;
	p = chrome ? chrome_profiles(tr, err) : profile_from_trace(tr, s, err);
	if (!p)
		return NULL;
	struct lp_profile *h = handle(p, tr, o);
	h->gpu = !chrome && s.weight == TRACE_GPU;
	h->kernels = o.kernels;
	return h;
}

/* Takes the trace over, if it can be read. */
static struct lp_profile *own_trace(struct lp_trace *tr, struct lp_profile_options o,
				    struct lp_error *err)
{
	struct lp_profile *h = tr ? lp_profile_of_trace(tr, o, err) : NULL;

	if (h)
		h->owns_trace = true;
	else
		lp_close(tr);
	return h;
}

static struct lp_profile *open_trace(const char *path, struct lp_profile_options o,
				     struct lp_error *err)
{
	struct lp_open_options r = {
		.threads = o.threads, .strict = o.strict, .progress = o.progress, .ctx = o.ctx
	};

	return own_trace(lp_open(path, r, err), o, err);
}

/* Odd data is an error if it is to be clean. */
static struct lp_profile *own_profile(struct profile *p, struct lp_profile_options o,
				      struct lp_error *err)
{
	for (int i = 0; o.strict && i < PROFILE_ODDS; i++)
		if (p->odd[i]) {
			error_set(
				err,
				"%s: %llu oddities in a file that is to be clean; the first at %llu",
				p->path, (unsigned long long)p->odd[i],
				(unsigned long long)p->odd_first[i]);
			profile_free(p);
			return NULL;
		}
	return handle(p, NULL, o);
}

/* All of stdin, which cannot be read twice. The caller frees it. */
static char *read_stdin(size_t *n)
{
	size_t cap = (size_t)1 << 20, got;
	char *text = alloc_checked(malloc(cap));

	for (*n = 0; text && (got = fread(text + *n, 1, cap - *n, stdin)) > 0;) {
		*n += got;
		char *more = *n == cap ? realloc(text, cap *= 2) : text;
		if (!more)
			abort();
		text = more;
	}
	return text;
}

static struct lp_profile *open_stdin(struct profile_options r, struct lp_profile_options o,
				     struct lp_error *err)
{
	struct read_options t = { .threads = o.threads, .strict = o.strict };
	struct lp_profile *h = NULL;
	struct profile *p = NULL;
	size_t n;
	char *text = read_stdin(&n);

	switch (profile_read_memory("-", text, n, r, &p, err)) {
	case PROFILE_READ:
		h = own_profile(p, o, err);
		break;
	case PROFILE_TRACE: {
		struct trace *tr = trace_read_memory("-", text, n, t, err);

		if (tr)
			model_build(tr);
		h = tr ? own_trace((struct lp_trace *)tr, o, err) : NULL;
		if (h)
			h->text = text;
		break;
	}
	default:
		break;
	}
	if (!h || !h->text)
		free(text);
	return h;
}

struct lp_profile *lp_profile_open(const char *path, struct lp_profile_options o,
				   struct lp_error *err)
{
	struct profile_options r = {
		.sums = o.sums,
		.weight = o.weight,
		.firefox = o.firefox,
		.progress = o.progress,
		.ctx = o.ctx,
	};
	struct profile *p = NULL;

	if (!strcmp(path, "-"))
		return open_stdin(r, o, err);
	switch (profile_read(path, r, &p, err)) {
	case PROFILE_READ:
		return own_profile(p, o, err);
	case PROFILE_TRACE:
		return open_trace(path, o, err);
	default:
		return NULL;
	}
}

void lp_profile_close(struct lp_profile *h)
{
	if (!h)
		return;
	profile_free(h->p);
	if (h->owns_trace)
		trace_free(h->tr);
	free(h->text);
	free(h);
}

uint32_t lp_profile_threads(const struct lp_profile *h)
{
	return h->p->nthreads;
}

uint64_t lp_profile_samples(const struct lp_profile *h)
{
	uint64_t n = 0;

	for (uint32_t t = 0; t < h->p->nthreads; t++)
		n += h->p->threads[t].n;
	return n;
}
