#include "analysis/split_batch.h"

#include "algo/sort.h"

/* Make, fill, move or reshape memory: their shapes say nothing of the batch. */
static bool is_memory_op(struct str name)
{
	static const char *const words[] = { "empty",   "copy_",     "_to_copy", "::to",
					     "zeros",   "ones",      "fill_",    "zero_",
					     "resize_", "view",      "reshape",  "as_strided",
					     "::t",     "transpose", "expand",   "slice",
					     "select",  "detach" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (str_ends(name, str_of(words[i])))
			return true;
	return false;
}

/* The 32 of "[[32, 128], ...]"; 0 if the first slot is no tensor. */
static int64_t first_dimension(struct str dims)
{
	int64_t v = 0;
	size_t i = 0;

	while (i < dims.n && (dims.p[i] == '[' || dims.p[i] == ' '))
		i++;
	if (i < 2)
		return 0;
	for (; i < dims.n && dims.p[i] >= '0' && dims.p[i] <= '9'; i++)
		if (__builtin_mul_overflow(v, (int64_t)10, &v) ||
		    __builtin_add_overflow(v, (int64_t)(dims.p[i] - '0'), &v))
			return 0;
	return v;
}

struct seen {
	uint32_t *slice;
	int64_t *size;
};

static bool before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct seen *s = ctx;

	return s->slice[a] != s->slice[b] ? s->slice[a] < s->slice[b] : s->size[a] < s->size[b];
}

int64_t *split_batch_sizes(const struct split_result *r, struct arena *a)
{
	struct trace *tr = r->work.tr;
	uint32_t n = 0, cap = tr->nkind[KIND_CPU_OP];
	struct seen s = { NEW(a, (size_t)cap + 1, uint32_t), NEW(a, (size_t)cap + 1, int64_t) };
	int64_t *out = NEW(a, (size_t)r->slices.n + 1, int64_t);
	uint32_t *id = NEW(a, (size_t)cap + 1, uint32_t);
	uint32_t *most = NEW(a, (size_t)r->slices.n + 1, uint32_t);

	for (event_id e = 0; e < tr->ev.n; e++) {
		if (tr->ev.kind[e] != KIND_CPU_OP || r->slices.of[e] >= r->slices.n || n == cap)
			continue;
		int64_t size = first_dimension(arg_text(tr, e, KEY_INPUT_DIMS));
		if (!size || is_memory_op(trace_name(tr, e)))
			continue;
		s.slice[n] = r->slices.of[e];
		s.size[n] = size;
		id[n] = n;
		n++;
	}
	sort_ids(id, n, NEW(a, (size_t)n + 1, uint32_t), before, &s);
	for (uint32_t i = 0, end; i < n; i = end) {
		uint32_t slice = s.slice[id[i]];

		for (end = i + 1;
		     end < n && s.slice[id[end]] == slice && s.size[id[end]] == s.size[id[i]];
		     end++)
			;
		if (end - i >= most[slice]) { /* sizes rise: the larger wins a tie */
			most[slice] = end - i;
			out[slice] = s.size[id[i]];
		}
	}
	return out;
}
