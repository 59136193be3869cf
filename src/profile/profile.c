#include "profile/profile.h"

#include "base/scaled.h"
#include "base/alloc.h"

#include <stdlib.h>

#define PLACES_MAX 9

struct profile *profile_new(const char *path, const char *format)
{
	struct profile *p = alloc_checked(calloc(1, sizeof(*p)));
	p->path = arena_text(&p->arena, path, strlen(path));
	p->format = format;
	return p;
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	strings_free(&p->strings);
	functions_free(&p->functions);
	stacks_free(&p->stacks);
	samples_free(&p->samples);
	counted_free(&p->counted);
	free(p->origin);
	arena_free(&p->arena);
	free(p);
}

func_id profile_function(struct profile *p, struct str name)
{
	return functions_add(&p->functions, strings_add(&p->strings, name.p, name.n), NONE, 0);
}

func_id profile_function_at(struct profile *p, struct str name, struct str file, uint32_t line)
{
	string_id n = strings_add(&p->strings, name.p, name.n);
	string_id f = file.n ? strings_add(&p->strings, file.p, file.n) : NONE;

	return functions_add(&p->functions, n, f, line);
}

static const char *copied(struct profile *p, const char *text)
{
	return text ? arena_text(&p->arena, text, strlen(text)) : "";
}

struct profile_thread *profile_thread(struct profile *p, const char *name, const char *process,
				      const char *pid, const char *tid)
{
	uint32_t n = p->nthreads;

	if (!(n & (n - 1))) {
		struct profile_thread *more = NEW(&p->arena, 2 * (size_t)n + 1,
						  struct profile_thread);

		if (n)
			memcpy(more, p->threads, n * sizeof(*more));
		p->threads = more;
	}
	p->nthreads++;
	p->threads[n] = (struct profile_thread){
		.name = copied(p, name),
		.process = copied(p, process),
		.pid = copied(p, pid),
		.tid = copied(p, tid),
		.first = p->samples.n,
		.unit_name = n ? p->threads[n - 1].unit_name : "samples",
		.unit = n ? p->threads[n - 1].unit : PROFILE_SAMPLES,
	};
	return &p->threads[n];
}

void profile_sample(struct profile *p, struct sample x)
{
	samples_add(&p->samples, x);
	p->threads[p->nthreads - 1].n++;
}

void profile_odd(struct profile *p, enum profile_odd what, uint64_t where)
{
	if (!p->odd[what]++)
		p->odd_first[what] = where;
}

static struct profile_thread *last(struct profile *p)
{
	return &p->threads[p->nthreads - 1];
}

void profile_unit(struct profile *p, enum profile_unit unit, const char *name)
{
	last(p)->unit = unit;
	last(p)->unit_name = copied(p, name);
}

/* All weights of the thread so far x 10^(places - its places). */
static bool rescale(struct profile *p, unsigned places)
{
	struct profile_thread *t = last(p);
	int64_t by = scaled_power(places - t->places);

	samples_need_weight(&p->samples);
	for (size_t i = t->first; i < p->samples.n; i++)
		if (__builtin_mul_overflow(p->samples.weight[i], by, &p->samples.weight[i]))
			return false;
	t->places = places;
	return true;
}

bool profile_weight(struct profile *p, struct str text, int64_t *out)
{
	struct scaled d;

	if (!scaled_parse(text, &d))
		return false;
	if (d.places > last(p)->places && !rescale(p, MIN_OF(d.places, PLACES_MAX)))
		return false;
	return scaled_round(d, last(p)->places, out);
}

static void sort_stacks(struct profile *p)
{
	stack_id *place = stacks_sort(&p->stacks, p->functions.n);

	for (size_t i = 0; i < p->samples.n; i++)
		if (p->samples.stack[i] != NONE)
			p->samples.stack[i] = place[p->samples.stack[i]];
	free(place);
}

void profile_sort(struct profile *p)
{
	if (!p->counted.nthreads)
		return;
	for (uint32_t t = 0; t < p->nthreads; t++) {
		struct samples s = counted_to_samples(&p->counted.count[t]);

		p->threads[t].first = p->samples.n;
		samples_append(&p->samples, &s);
	}
	stacks_free(&p->stacks);
	p->stacks = counted_to_stacks(&p->counted);
	counted_free(&p->counted);
	sort_stacks(p);
	strings_index(&p->strings);
}

struct profile *profile_finish(struct profile *p, struct lp_error *err)
{
	if (!samples_sum_fits(&p->samples, 0)) {
		error_set(err, "%s: the weights add up to more than 64 bits hold", p->path);
		profile_free(p);
		return NULL;
	}
	if (p->counted.nthreads)
		strings_drop_index(&p->strings);
	else
		sort_stacks(p);
	strings_trim(&p->strings);
	functions_trim(&p->functions);
	return p;
}
