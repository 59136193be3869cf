#include "trace/window.h"

#include "algo/sort.h"
#include "trace/step.h"

static bool cut_start(struct str *s, struct str prefix)
{
	if (!str_starts(*s, prefix))
		return false;
	s->p += prefix.n;
	s->n -= prefix.n;
	return true;
}

static void of_event(const struct trace *tr, event_id e, struct window *out)
{
	*out = (struct window){ .start = tr->ev.ts[e], .end = trace_end(tr, e) };
}

/* ---- Steps ---- */

static bool by_number(struct trace *tr, int64_t number, struct window *out, struct lp_error *err)
{
	const struct steps *s = trace_steps(tr);

	for (uint32_t i = 0; i < s->n; i++)
		if (s->number[i] == number) {
			of_event(tr, s->event[i], out);
			return true;
		}
	if (!s->n)
		return error_set(err, "%s: no steps are marked in this trace", tr->source.path);
	return error_set(err, "%s: there is no step %lld; the first is %lld, the last %lld",
			 tr->source.path, (long long)number, (long long)s->number[0],
			 (long long)s->number[s->n - 1]);
}

/* ---- Times ---- */

static const struct {
	struct str text;
	nsec ns;
} units[] = {
	{ { "ms", 2 }, 1000000 }, { { "us", 2 }, 1000 },      { { "µs", 3 }, 1000 },
	{ { "ns", 2 }, 1 },       { { "s", 1 }, 1000000000 },
};

/* A decimal number and a unit, exactly. */
static bool read_time(struct str text, nsec *out)
{
	nsec unit = 0, whole = 0;
	bool minus = text.n && text.p[0] == '-', digits = false;

	for (size_t u = 0; u < ARRAY_SIZE(units) && !unit; u++)
		if (str_ends(text, units[u].text)) {
			unit = units[u].ns;
			text.n -= units[u].text.n;
		}
	if (!unit)
		return false;
	size_t i = minus;
	for (; i < text.n && text.p[i] >= '0' && text.p[i] <= '9'; i++, digits = true)
		if (__builtin_mul_overflow(whole, (nsec)10, &whole) ||
		    __builtin_add_overflow(whole, (nsec)(text.p[i] - '0'), &whole))
			return false;
	if (__builtin_mul_overflow(whole, unit, &whole))
		return false;
	if (i < text.n && text.p[i] == '.')
		for (i++; i < text.n && text.p[i] >= '0' && text.p[i] <= '9'; i++, digits = true)
			whole += (unit /= 10) * (text.p[i] - '0');
	*out = minus ? -whole : whole;
	return digits && i == text.n;
}

bool window_times(const char *text, nsec base, nsec *start, nsec *end)
{
	const char *dots = strstr(text, "..");
	struct str from = { text, dots ? (size_t)(dots - text) : 0 },
		   to = str_of(dots ? dots + 2 : "");
	nsec a = 0, b = 0;

	if (!dots || (from.n && !read_time(from, &a)) || (to.n && !read_time(to, &b)))
		return false;
	return (!from.n || !__builtin_add_overflow(base, a, start)) &&
	       (!to.n || !__builtin_add_overflow(base, b, end));
}

/* ---- Names ---- */

/* "name:2" is the third of that name, "name" the first. */
static struct str cut_instance(struct str text, int64_t *instance)
{
	size_t colon = text.n;

	*instance = 0;
	while (colon && text.p[colon - 1] != ':')
		colon--;
	if (!colon || !str_i64((struct str){ text.p + colon, text.n - colon }, instance) ||
	    *instance < 0)
		return text;
	return (struct str){ text.p, colon - 1 };
}

static bool starts_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct trace *tr = ctx;

	return tr->ev.ts[a] < tr->ev.ts[b];
}

/* The k-th annotation with this name by start, ties by place in the file; NONE. */
static event_id find_annotation(const struct trace *tr, struct str name, int64_t k)
{
	struct arena scratch = { 0 };
	string_id id = strings_find(&tr->strings, name);
	event_id *found = NEW(&scratch, tr->nkind[KIND_ANNOTATION], event_id), at = NONE;
	uint32_t n = 0;

	for (event_id e = 0; id != NONE && e < tr->ev.n; e++)
		if (tr->ev.name[e] == id && tr->ev.kind[e] == KIND_ANNOTATION &&
		    trace_slice(tr, e) && trace_timed(tr, e))
			found[n++] = e;
	sort_ids(found, n, NEW(&scratch, n, uint32_t), starts_before, tr);
	if (k < n)
		at = found[k];
	arena_free(&scratch);
	return at;
}

static bool by_name(const struct trace *tr, struct str text, struct window *out,
		    struct lp_error *err)
{
	int64_t instance;
	event_id e = find_annotation(tr, text, 0);

	if (e == NONE) {
		struct str name = cut_instance(text, &instance);
		if (name.n < text.n)
			e = find_annotation(tr, name, instance);
	}
	if (e == NONE)
		return error_set(err,
				 "%s: no window '%.*s': it is neither step:N, iteration:N, a pair "
				 "of times like 1.2s..1.3s, nor the name of an annotation",
				 tr->source.path, STR_ARGS(text));
	of_event(tr, e, out);
	return true;
}

bool trace_window(struct trace *tr, const char *text, struct window *out, struct lp_error *err)
{
	struct str s = str_of(text ? text : ""), rest = s;
	int64_t n;

	*out = (struct window){ .start = tr->start, .end = tr->end, .whole = true };
	if (!s.n)
		return true;
	out->whole = false;
	if (cut_start(&rest, STR("step:")) && str_i64(rest, &n))
		return by_number(tr, n, out, err);
	if (!window_times(text, tr->base, &out->start, &out->end)) {
		*out = (struct window){ tr->start, tr->end, false, false };
		return by_name(tr, s, out, err);
	}
	out->by_times = true;
	if (out->start >= out->end)
		return error_set(err, "%s: the window %s is empty", tr->source.path, text);
	return true;
}
