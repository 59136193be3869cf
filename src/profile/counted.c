#include "profile/counted.h"

#include "base/alloc.h"

#include <stdlib.h>

struct stacks counted_to_stacks(struct counted *c)
{
	uint32_t n = counted_stacks(c);
	struct stacks st = { .n = n, .cap = n };

	st.func = alloc_array(n, sizeof(*st.func));
	for (stack_id s = 0; s < n; s++)
		st.func[s] = narrow_get(&c->func, s);
	st.prefix = alloc_array(n, sizeof(*st.prefix));
	for (stack_id s = 0; s < n; s++)
		st.prefix[s] = counted_caller(c, s);
	narrow_free(&c->func);
	narrow_free(&c->up);
	return st;
}

struct samples counted_to_samples(struct narrow *count)
{
	struct samples s = { 0 };

	for (size_t k = 0; k < count->n; k++)
		s.n += narrow_get(count, k) != 0;
	s.cap = s.n;
	s.stack = alloc_array(s.n, sizeof(*s.stack));
	s.count = alloc_array(s.n, sizeof(*s.count));
	for (size_t k = 0, i = 0; k < count->n; k++)
		if (narrow_get(count, k)) {
			s.stack[i] = (stack_id)k;
			s.count[i++] = narrow_get(count, k);
		}
	narrow_free(count);
	return s;
}

void counted_free(struct counted *c)
{
	narrow_free(&c->up);
	narrow_free(&c->func);
	for (uint32_t t = 0; t < c->nthreads; t++)
		narrow_free(&c->count[t]);
	free(c->count);
	*c = (struct counted){ 0 };
}
