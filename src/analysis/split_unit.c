#include "analysis/split_write.h"

#include "analysis/split_batch.h"
#include "analysis/split_steady.h"
#include "base/error.h"

#define NAME_MAX_BASE 100 /* bytes of the trace's name in file names */
#define NAME_MAX_STEP 60  /* bytes of the iteration's */

static bool is_safe(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '.' || c == '-' || c == '_' || c == '=';
}

/* Unsafe bytes become one '_' a run; cut to `max`; never begins with '.' or '-'. */
static const char *safe_name(struct str s, size_t max, struct arena *a)
{
	char *out = arena_alloc(a, max + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.n && n < max; i++)
		if (is_safe(s.p[i]) && !(n == 0 && (s.p[i] == '.' || s.p[i] == '-')))
			out[n++] = s.p[i];
		else if (n && out[n - 1] != '_')
			out[n++] = '_';
	while (n && out[n - 1] == '_')
		n--;
	out[n] = '\0';
	return out;
}

static struct str without(struct str s, struct str ending)
{
	if (str_ends(s, ending) && s.n > ending.n)
		s.n -= ending.n;
	return s;
}

const char *split_base_name(const struct trace *tr, struct arena *a)
{
	struct str s = str_of(tr->source.path);
	const char *slash = memrchr(s.p, '/', s.n);

	if (slash)
		s = (struct str){ slash + 1, (size_t)(s.p + s.n - slash - 1) };
	s = without(s, STR(".gz"));
	s = without(s, STR(".json"));
	s = without(s, STR(".trace"));
	s = without(s, STR(".pt"));
	if (str_eq(s, STR("-")))
		s = STR("stdin");
	const char *name = safe_name(s, NAME_MAX_BASE, a);
	return *name ? name : "trace";
}

static const char *iteration_file(const struct split_result *r, const char *base, uint32_t i,
				  struct arena *a)
{
	const struct root *root = &r->roots.root[i];
	const char *name = root->phase_read ? safe_name(root->name, NAME_MAX_STEP, a) : "";

	return arena_print(a, "%s_iteration_%u%s%s.json.gz", base, i, *name ? "_" : "", name);
}

static void add(struct units *u, uint32_t first, uint32_t end, const char *file, const char *label)
{
	u->at[u->n++] = (struct unit){ first, end, file, label };
}

static void add_rest(struct units *u, const struct split_result *r, const char *base,
		     struct arena *a)
{
	static const char *const name[] = { "prologue", "epilogue" };

	for (uint32_t k = 0; k < 2; k++) {
		const struct slice *s = &r->slices.at[r->slices.n + k];

		if (s->gpu_events || s->host_events)
			add(u, r->slices.n + k, r->slices.n + k + 1,
			    arena_print(a, "%s_%s.json.gz", base, name[k]), name[k]);
	}
	u->all = true;
}

/* "all", "N", "A:B", "A:", ":B"; clipped to the number of iterations. */
static bool parse_range(const char *text, uint32_t n, struct range *out, struct lp_error *err)
{
	int64_t a = 0, b = n;
	const char *colon = text ? strchr(text, ':') : NULL;
	struct str s = str_of(text ? text : "all");
	struct str head = { s.p, colon ? (size_t)(colon - text) : s.n };
	struct str tail = { colon ? colon + 1 : s.p + s.n, colon ? s.n - head.n - 1 : 0 };

	*out = (struct range){ 0, n };
	if (str_eq(s, STR("all")))
		return true;
	bool ok = (colon && !head.n) || str_i64(head, &a);
	ok = ok && (!colon || !tail.n || str_i64(tail, &b));
	if (!colon)
		b = a + 1;
	if (!ok || a < 0 || b <= a)
		return error_set(err, "--iterations '%s': expected all, N or A:B with A < B", text);
	if (a >= n)
		return error_set(err, "--iterations '%s': the trace has %u iterations (0 to %u)",
				 text, n, n - 1);
	*out = (struct range){ (uint32_t)a, (uint32_t)MIN_OF(b, (int64_t)n) };
	return true;
}

/* What is known of the iterations: whether each has a prefill, by names or by batch sizes. */
struct labels {
	bool named;    /* all names tell */
	bool by_batch; /* else the sizes of batches do */
	int64_t *size;
	bool *prefill;
};

static struct labels label(const struct split_result *r, struct lp_split_options o, struct arena *a)
{
	uint32_t n = r->slices.n;
	struct labels l = { .named = true, .prefill = NEW(a, (size_t)n + 1, bool) };

	for (uint32_t i = 0; i < n; i++)
		l.named = l.named && r->roots.root[i].phase_read && !r->roots.root[i].step.width;
	if (l.named || !o.llm_inference)
		return l;
	l.size = split_batch_sizes(r, a);
	l.by_batch = steady_label_batches(l.size, n, o.max_num_seq, l.prefill, a);
	return l;
}

/* Serving runs give three windows; others one, by lengths. */
static void steady_units(const struct split_result *r, const struct labels *l, uint32_t wanted,
			 const struct steady_load *load, const char *base, struct units *u,
			 struct arena *a)
{
	uint32_t n = r->slices.n;
	struct step_info *step = NEW(a, n, struct step_info);
	nsec *length = NEW(a, n, nsec);

	for (uint32_t i = 0; i < n; i++) {
		step[i] = r->roots.root[i].step;
		length[i] = r->roots.root[i].end - r->roots.root[i].start;
	}
	if (!l->named && !l->by_batch) {
		struct range w = steady_by_length(length, n, wanted);
		add(u, w.first, w.end, arena_print(a, "steady_state_%s.json.gz", base),
		    "steady_state");
		return;
	}
	struct steady_windows s = l->named ? steady_serving(step, n, wanted, load, a)
					   : steady_batches(l->size, l->prefill, n, wanted, a);
	const struct range window[] = { s.mixed, s.decode, s.prefill };
	static const char *const name[] = { "mixed_steady_state", "decode_only_steady_state",
					    "prefilldecode_steady_state" };
	for (int k = 0; k < 3; k++)
		if (window[k].end > window[k].first)
			add(u, window[k].first, window[k].end,
			    arena_print(a, "%s_%s.json.gz", name[k], base), name[k]);
}

/* 1: has prefill; 0: decode only; -1: idle or not known, which no run takes. */
static int phase_class(const struct split_result *r, const struct labels *l, uint32_t i)
{
	const struct root *root = &r->roots.root[i];
	enum step_phase p = step_phase_of(&root->step);

	if (l->by_batch)
		return l->prefill[i];
	if (!root->phase_read || p == PHASE_IDLE)
		return -1;
	return p != PHASE_DECODE;
}

static void phase_units(const struct split_result *r, const struct labels *l, const char *base,
			struct units *u, struct arena *a)
{
	static const char *const name[] = { "decode_only", "prefilldecodemix" };
	uint32_t chunk[2] = { 0, 0 }, n = r->slices.n;

	for (uint32_t i = 0, end; i < n; i = end) {
		int class = phase_class(r, l, i);

		for (end = i + 1; end < n && phase_class(r, l, end) == class; end++)
			;
		if (class < 0)
			continue;
		add(u, i, end,
		    arena_print(a, "%s_chunk%u_steps%u_%s.json.gz", name[class], chunk[class]++,
				end - i, base),
		    name[class]);
	}
}

bool split_units(const struct split_result *r, struct lp_split_options o, struct arena *a,
		 struct units *out, struct lp_error *err)
{
	const char *base = split_base_name(r->work.tr, a);
	struct range range;

	*out = (struct units){ 0, NEW(a, (size_t)r->slices.n + 5, struct unit), false };
	if (!r->slices.n)
		return true;
	struct labels l = label(r, o, a);
	if (o.steady)
		steady_units(r, &l, o.steady_steps ? o.steady_steps : 32,
			     &(struct steady_load){ o.concurrency, o.output_tokens, o.range_ratio },
			     base, out, a);
	if (o.phases)
		phase_units(r, &l, base, out, a);
	if (o.steady || o.phases)
		return true;
	if (!parse_range(o.iterations, r->slices.n, &range, err))
		return false;
	for (uint32_t i = range.first; i < range.end; i++)
		add(out, i, i + 1, iteration_file(r, base, i, a), "iteration");
	if (range.first == 0 && range.end == r->slices.n)
		add_rest(out, r, base, a);
	return true;
}
