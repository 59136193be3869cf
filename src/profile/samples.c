/*
 * Columns appear when the first sample needs them; what came before is then filled in
 * with what its absence meant.
 */
#include "profile/samples.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static void *sized(void *column, size_t n, size_t size)
{
	column = alloc_checked(realloc(column, n * size));
	return column;
}

static void grow(struct samples *s)
{
	s->cap = s->cap ? 2 * s->cap : 1024;
	s->stack = sized(s->stack, s->cap, sizeof(*s->stack));
	if (s->time)
		s->time = sized(s->time, s->cap, sizeof(*s->time));
	if (s->weight)
		s->weight = sized(s->weight, s->cap, sizeof(*s->weight));
	if (s->count)
		s->count = sized(s->count, s->cap, sizeof(*s->count));
}

static void need_time(struct samples *s)
{
	s->time = sized(NULL, s->cap, sizeof(*s->time));
	for (size_t i = 0; i < s->n; i++)
		s->time[i] = NSEC_NONE;
}

void samples_need_weight(struct samples *s)
{
	if (s->weight)
		return;
	int64_t *weight = sized(NULL, MAX_OF(s->cap, 1), sizeof(*weight));

	for (size_t i = 0; i < s->n; i++)
		weight[i] = samples_count(s, i);
	s->weight = weight;
}

static void need_count(struct samples *s)
{
	s->count = sized(NULL, s->cap, sizeof(*s->count));
	for (size_t i = 0; i < s->n; i++)
		s->count[i] = 1;
}

void samples_add(struct samples *s, struct sample x)
{
	if (s->n == s->cap)
		grow(s);
	if (x.time != NSEC_NONE && !s->time)
		need_time(s);
	if (x.weight != x.count)
		samples_need_weight(s);
	if (x.count != 1 && !s->count)
		need_count(s);
	s->stack[s->n] = x.stack;
	if (s->time)
		s->time[s->n] = x.time;
	if (s->weight)
		s->weight[s->n] = x.weight;
	if (s->count)
		s->count[s->n] = x.count;
	s->n++;
}

void samples_append(struct samples *to, struct samples *from)
{
	if (!to->n) {
		samples_free(to);
		*to = *from;
		*from = (struct samples){ 0 };
		return;
	}
	for (size_t i = 0; i < from->n; i++)
		samples_add(to, (struct sample){
					from->stack[i],
					from->time ? from->time[i] : NSEC_NONE,
					samples_weight(from, i),
					samples_count(from, i),
				});
	samples_free(from);
}

void samples_free(struct samples *s)
{
	free(s->stack);
	free(s->time);
	free(s->weight);
	free(s->count);
	*s = (struct samples){ 0 };
}

bool samples_sum_fits(const struct samples *s, size_t from)
{
	int64_t sum = 0;

	for (size_t i = from; s->weight && i < s->n; i++)
		if (s->weight[i] == INT64_MIN ||
		    __builtin_add_overflow(sum, llabs(s->weight[i]), &sum))
			return false;
	return true;
}

/* What is summed per stack: columns of `nstacks`, weight only if samples have one. */
struct sums {
	size_t nstacks, nseen;
	uint32_t *count;
	int64_t *weight;
};

static size_t stacks_of(const struct samples *s, size_t from)
{
	size_t n = 0;

	for (size_t i = from; i < s->n; i++)
		if (s->stack[i] != NONE && s->stack[i] >= n)
			n = (size_t)s->stack[i] + 1;
	return n;
}

static struct sums sum(const struct samples *s, size_t from, size_t nstacks)
{
	struct sums u = { .nstacks = nstacks, .count = calloc(nstacks, sizeof(*u.count)) };

	u.weight = s->weight ? calloc(nstacks, sizeof(*u.weight)) : NULL;
	if (!u.count || (s->weight && !u.weight))
		abort();
	for (size_t i = from; i < s->n; i++) {
		stack_id k = s->stack[i];

		if (k == NONE)
			continue;
		u.count[k] += samples_count(s, i);
		if (u.weight)
			u.weight[k] += s->weight[i];
	}
	for (size_t k = 0; k < nstacks; k++)
		u.nseen += u.count[k] || (u.weight && u.weight[k]);
	return u;
}

/* All columns cut or made to hold n samples. */
static void recut(struct samples *s, size_t n)
{
	s->cap = MAX_OF(n, 1);
	free(s->time);
	s->time = NULL;
	s->stack = sized(s->stack, s->cap, sizeof(*s->stack));
	if (s->weight)
		s->weight = sized(s->weight, s->cap, sizeof(*s->weight));
	if (s->count)
		s->count = sized(s->count, s->cap, sizeof(*s->count));
	else
		need_count(s);
	s->n = n;
}

void samples_compact(struct samples *s, size_t from)
{
	size_t nstacks = stacks_of(s, from), at = from;

	if (!nstacks || nstacks > 8 * (s->n - from) + 4096)
		return;

	struct sums u = sum(s, from, nstacks);

	s->n = from;
	recut(s, from + u.nseen);
	for (size_t k = 0; k < nstacks; k++) {
		if (!u.count[k] && !(u.weight && u.weight[k]))
			continue;
		s->stack[at] = (stack_id)k;
		s->count[at] = u.count[k];
		if (u.weight)
			s->weight[at] = u.weight[k];
		at++;
	}
	free(u.count);
	free(u.weight);
}
