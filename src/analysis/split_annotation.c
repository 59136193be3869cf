/*
 * Step 1: somebody marked the iterations.
 *
 * The annotations we know by name come first; if a regular frame encloses them, all
 * frames of its family are the iterations (a run of 512 of which the patterns know 15).
 * Failing these, the family of like-named annotations with the most GPU time.
 */
#include "algo/sort.h"
#include "analysis/split_note.h"

#include <math.h>

/* How many enclosing annotations are looked at: nobody nests iterations deeper. */
#define MAX_NESTING 64

static bool starts_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct trace *tr = ctx;

	if (tr->ev.ts[a] != tr->ev.ts[b])
		return tr->ev.ts[a] < tr->ev.ts[b];
	return tr->ev.dur[a] > tr->ev.dur[b];
}

/* What may mark an iteration, asked once per distinct name. */
struct mark_rule {
	const struct trace *tr;
	const struct marker_set *user;
	uint8_t *frame; /* per string: 0 not asked, 1 no, 2 a frame of this name is a mark */
};

/* Old exporters have ProfilerStep#N as an operator; users may name any operator or frame. */
static bool frame_marks(struct mark_rule *m, event_id e)
{
	string_id name = m->tr->ev.name[e];

	if (name == NONE)
		return false;
	if (!m->frame[name]) {
		enum marker_tier tier = marker_read(trace_name(m->tr, e), m->user).tier;

		m->frame[name] = tier == MARKER_PROFILER_STEP || tier == MARKER_USER ? 2 : 1;
	}
	return m->frame[name] == 2;
}

/* Operators of collectives (nccl:*, gloo:*) are annotations with arguments: never an iteration. */
static bool is_note(struct mark_rule *m, event_id e)
{
	const struct trace *tr = m->tr;
	enum kind k = tr->ev.kind[e];
	struct arg dims;

	if (!trace_timed(tr, e) || tr->ev.ph[e] != 'X')
		return false;
	if (k == KIND_ANNOTATION)
		return !arg_find(tr, e, KEY_INPUT_DIMS, &dims);
	return (k == KIND_CPU_OP || (k == KIND_PYTHON && m->user)) && frame_marks(m, e);
}

static uint32_t sorted(const struct trace *tr, event_id *list, uint32_t n, struct arena *a)
{
	sort_ids(list, n, NEW(a, (size_t)n + 1, uint32_t), starts_before, tr);
	return n;
}

static uint32_t collect_marks(const struct trace *tr, const struct marker_set *user,
			      struct arena *a, event_id **out)
{
	struct mark_rule m = { tr, user, NEW(a, (size_t)tr->strings.n + 1, uint8_t) };
	uint32_t n = 0;

	for (event_id e = 0; e < tr->ev.n; e++)
		n += is_note(&m, e);
	*out = NEW(a, (size_t)n + 1, event_id);
	n = 0;
	for (event_id e = 0; e < tr->ev.n; e++)
		if (is_note(&m, e))
			(*out)[n++] = e;
	return sorted(tr, *out, n, a);
}

static uint32_t collect_gpu_spans(const struct trace *tr, struct arena *a, event_id **out)
{
	uint32_t n = 0;

	*out = NEW(a, (size_t)tr->nkind[KIND_GPU_ANNOTATION] + 1, event_id);
	for (event_id e = 0; e < tr->ev.n; e++)
		if (tr->ev.kind[e] == KIND_GPU_ANNOTATION && trace_timed(tr, e))
			(*out)[n++] = e;
	return sorted(tr, *out, n, a);
}

/* What ties an annotation to its spans on the GPU: the External id, else the name. */
static uint64_t projection_key(const struct trace *tr, event_id e)
{
	int64_t id;

	if (arg_i64(tr, e, KEY_EXTERNAL_ID, &id))
		return (uint64_t)id * 2;
	return (uint64_t)tr->ev.name[e] * 2 + 1;
}

/* The GPU spans of each note: they come chained by key, are counted, then laid out. */
static void join_gpu_spans(const struct trace *tr, struct notes *notes, struct arena *a)
{
	event_id *gpu;
	uint32_t n = collect_gpu_spans(tr, a, &gpu), used = 0;
	struct map last = map_new(a, n);
	uint32_t *before = NEW(a, (size_t)n + 1, uint32_t);
	bool *taken = NEW(a, (size_t)n + 1, bool);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t *at = map_at(&last, projection_key(tr, gpu[i]));
		before[i] = *at;
		*at = i;
	}
	notes->gpu_from = NEW(a, (size_t)notes->n + 1, uint32_t);
	notes->gpu_to = NEW(a, (size_t)notes->n + 1, uint32_t);
	notes->gpu_span = NEW(a, (size_t)n + 1, struct span);
	for (uint32_t i = 0; i < notes->n; i++) {
		uint32_t k = map_get(&last, projection_key(tr, notes->event[i]));

		notes->gpu_from[i] = used;
		for (; k != NONE && !taken[k]; k = before[k]) {
			taken[k] = true; /* a span belongs to one note: the first with its key */
			notes->gpu_span[used++] = (struct span){ tr->ev.ts[gpu[k]],
								 trace_end(tr, gpu[k]) };
		}
		notes->gpu_to[i] = used;
	}
}

static struct notes collect_notes(const struct split_work *w, struct split_options o,
				  struct arena *a)
{
	struct trace *tr = w->tr;
	struct notes notes = { 0 };

	notes.n = collect_marks(tr, o.markers, a, &notes.event);
	notes.family = NEW(a, (size_t)notes.n + 1, uint32_t);
	notes.step = NEW(a, (size_t)notes.n + 1, struct step_info);
	for (uint32_t i = 0; i < notes.n; i++) {
		struct str name = trace_name(tr, notes.event[i]);
		struct str skeleton = marker_skeleton(a, name);

		notes.family[i] = strings_add(&notes.skeletons, skeleton.p, skeleton.n);
		notes.step[i] = marker_read(name, o.markers);
	}
	notes.nfamilies = notes.skeletons.n;
	join_gpu_spans(tr, &notes, a);
	return notes;
}

/* GPU time by launch: sorted launches with prefix sums, so a span costs two searches. */
struct launches {
	uint32_t n;
	nsec *at, *sum;
};

static bool launched_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct split_work *w = ctx;

	return w->launch[a] < w->launch[b];
}

static struct launches sort_launches(const struct split_work *w, struct arena *a)
{
	uint32_t *id = NEW(a, (size_t)w->n + 1, uint32_t);
	struct launches l = { 0, NEW(a, (size_t)w->n + 1, nsec), NEW(a, (size_t)w->n + 1, nsec) };

	for (uint32_t i = 0; i < w->n; i++)
		if (w->launch[i] != NSEC_NONE)
			id[l.n++] = i;
	sort_ids(id, l.n, NEW(a, (size_t)l.n + 1, uint32_t), launched_before, w);
	for (uint32_t k = 0; k < l.n; k++) {
		l.at[k] = w->launch[id[k]];
		l.sum[k + 1] = l.sum[k] + w->dur[id[k]];
	}
	return l;
}

static uint32_t launches_until(const struct launches *l, nsec t)
{
	uint32_t lo = 0, hi = l->n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (l->at[mid] < t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

struct family {
	uint32_t n;
	nsec gpu;
	double gap_sum, gap_sum2; /* of the positive gaps between starts */
	uint32_t ngaps;
	nsec last_start, covered_to;
};

/* Time launched in the instances (nested ones once), and how regular their starts are. */
static struct family *measure_families(const struct split_work *w, const struct notes *notes,
				       const struct launches *l, struct arena *a)
{
	struct family *f = NEW(a, (size_t)notes->nfamilies + 1, struct family);

	for (uint32_t i = 0; i < notes->n; i++) {
		struct family *x = &f[notes->family[i]];
		nsec start = w->tr->ev.ts[notes->event[i]];
		nsec end = trace_end(w->tr, notes->event[i]);
		double gap = (double)(start - x->last_start);

		if (x->n && gap > 0) {
			x->gap_sum += gap;
			x->gap_sum2 += gap * gap;
			x->ngaps++;
		}
		nsec from = x->n ? MAX_OF(start, x->covered_to) : start;
		if (end > from)
			x->gpu += l->sum[launches_until(l, end)] - l->sum[launches_until(l, from)];
		x->covered_to = x->n ? MAX_OF(x->covered_to, end) : end;
		x->last_start = start;
		x->n++;
	}
	return f;
}

/* Variation of the gaps in thousandths, as the tie rule has it. */
static int64_t irregularity(const struct family *f)
{
	if (f->ngaps < 2)
		return 0;
	double mean = f->gap_sum / f->ngaps;
	double variance = f->gap_sum2 / f->ngaps - mean * mean;

	return llround(1000 * sqrt(fmax(variance, 0)) / mean);
}

/* Most GPU time, then most regular, then most instances, then first seen. */
static bool better_family(const struct family *a, const struct family *b)
{
	if (a->gpu != b->gpu)
		return a->gpu > b->gpu;
	if (irregularity(a) != irregularity(b))
		return irregularity(a) < irregularity(b);
	return a->n > b->n;
}

static bool parses(const struct step_info *s)
{
	return s->tier == MARKER_DETAILED || s->tier == MARKER_NATIVE;
}

static const char *confidence(const struct root_set *r)
{
	uint32_t read = 0;

	for (uint32_t i = 0; i < r->n; i++)
		read += r->root[i].phase_read;
	return read == r->n ? "high" : read ? "low" : "unknown";
}

/* The distinct families of the rows, in order of appearance: "step[EXTEND bs=#], step[DECODE
 * bs=#]". */
static struct str family_names(const struct notes *notes, const uint32_t *row, uint32_t n,
			       struct arena *a)
{
	bool *seen = NEW(a, (size_t)notes->nfamilies + 1, bool);
	const char *text = "";

	for (uint32_t i = 0; i < n; i++) {
		uint32_t family = notes->family[row[i]];

		if (!seen[family])
			text = arena_print(a, "%s%s%.*s", text, *text ? ", " : "",
					   STR_ARGS(strings_get(&notes->skeletons, family)));
		seen[family] = true;
	}
	return str_of(text);
}

/* The roots of the notes in row[0..n), audited and graded. */
static struct root_set roots_of(const struct split_work *w, const struct notes *notes,
				const uint32_t *row, uint32_t n, const char *method, bool known,
				struct arena *a)
{
	struct root_set r = root_set_none(NULL);

	r.method = method;
	r.n = n;
	r.root = NEW(a, n, struct root);
	for (uint32_t i = 0; i < n; i++) {
		event_id e = notes->event[row[i]];

		r.root[i] = (struct root){
			w->tr->ev.ts[e],      trace_end(w->tr, e), w->tr->ev.lane[e],           e,
			trace_name(w->tr, e), notes->step[row[i]], parses(&notes->step[row[i]])
		};
	}
	r.phase_confidence = confidence(&r);
	r.skeleton = family_names(notes, row, n, a);
	split_audit(w, notes, row, &r, a);
	r.status = split_grade(r.coverage_selected, r.span_share, known || n >= SPLIT_MIN_ROOTS);
	return r;
}

/* Those of a tier that lie in no other of it on the same thread: an iteration is counted once. */
static uint32_t rows_of_tier(const struct trace *tr, const struct notes *notes,
			     enum marker_tier tier, uint32_t *row, struct arena *a)
{
	nsec *covered_to = NEW(a, tr->lanes.n, nsec);
	bool *seen = NEW(a, tr->lanes.n, bool);
	uint32_t n = 0;

	for (uint32_t i = 0; i < notes->n; i++) {
		event_id e = notes->event[i];
		lane_id lane = tr->ev.lane[e];

		if (notes->step[i].tier != tier ||
		    (seen[lane] && trace_end(tr, e) <= covered_to[lane]))
			continue;
		seen[lane] = true;
		covered_to[lane] = trace_end(tr, e);
		row[n++] = i;
	}
	return n;
}

static uint32_t rows_of_family(const struct notes *notes, uint32_t family, uint32_t *row)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < notes->n; i++)
		if (notes->family[i] == family)
			row[n++] = i;
	return n;
}

/* For each note: the longest note with a readable name inside it, on its thread; NONE if none. */
static void find_inner(const struct trace *tr, const struct notes *notes, uint32_t *inner,
		       uint32_t *inside, const bool *known, struct arena *a)
{
	uint32_t *open = NEW(a, (size_t)notes->n + 1, uint32_t), nopen = 0;

	for (uint32_t i = 0; i < notes->n; i++) {
		event_id e = notes->event[i];

		while (nopen && trace_end(tr, notes->event[open[nopen - 1]]) <= tr->ev.ts[e])
			nopen--;
		for (uint32_t k = nopen, deepest = nopen > MAX_NESTING ? nopen - MAX_NESTING : 0;
		     k-- > deepest;) {
			event_id outer = notes->event[open[k]];

			if (tr->ev.lane[outer] != tr->ev.lane[e] ||
			    trace_end(tr, outer) < trace_end(tr, e))
				continue;
			if (known[i] && notes->family[open[k]] != notes->family[i])
				inside[notes->family[open[k]]]++;
			if (parses(&notes->step[i]) && notes->family[open[k]] != notes->family[i] &&
			    (inner[open[k]] == NONE ||
			     tr->ev.dur[notes->event[inner[open[k]]]] < tr->ev.dur[e]))
				inner[open[k]] = i;
		}
		open[nopen++] = i;
	}
}

/*
 * A regular family that encloses more than half of the known iterations stands for them
 * all, those too that no pattern knows; each takes the name of the longest it encloses.
 */
static bool widen(const struct split_work *w, const struct notes *notes, const uint32_t *row,
		  uint32_t n, const struct family *f, struct arena *a, struct root_set *out)
{
	uint32_t *inner = NEW(a, (size_t)notes->n + 1, uint32_t);
	uint32_t *inside = NEW(a, (size_t)notes->nfamilies + 1, uint32_t), best = NONE;
	bool *known = NEW(a, (size_t)notes->n + 1, bool);

	for (uint32_t i = 0; i < notes->n; i++)
		inner[i] = NONE;
	for (uint32_t i = 0; i < n; i++)
		known[row[i]] = true;
	find_inner(w->tr, notes, inner, inside, known, a);
	for (uint32_t k = 0; k < notes->nfamilies; k++)
		if (f[k].n >= SPLIT_MIN_ROOTS && 2 * (uint64_t)inside[k] > n &&
		    (best == NONE || better_family(&f[k], &f[best])))
			best = k;
	if (best == NONE)
		return false;
	uint32_t *wide = NEW(a, (size_t)notes->n + 1, uint32_t);
	uint32_t nwide = rows_of_family(notes, best, wide);
	*out = roots_of(w, notes, wide, nwide, "annotation:widened", false, a);
	for (uint32_t i = 0; i < nwide; i++)
		if (inner[wide[i]] != NONE) {
			out->root[i].name = trace_name(w->tr, notes->event[inner[wide[i]]]);
			out->root[i].step = notes->step[inner[wide[i]]];
			out->root[i].phase_read = true;
		}
	out->phase_confidence = confidence(out);
	return true;
}

static bool known_roots(const struct split_work *w, const struct notes *notes,
			const struct family *f, struct arena *a, struct root_set *out)
{
	static const struct {
		enum marker_tier tier;
		const char *method;
	} tiers[] = { { MARKER_USER, "annotation:user" },
		      { MARKER_DETAILED, "annotation:detailed" },
		      { MARKER_NATIVE, "annotation:native" },
		      { MARKER_PROFILER_STEP, "annotation:profiler_step" } };
	uint32_t *row = NEW(a, (size_t)notes->n + 1, uint32_t), n = 0, t = 0;
	struct root_set wide;

	while (t < ARRAY_SIZE(tiers) && !(n = rows_of_tier(w->tr, notes, tiers[t].tier, row, a)))
		t++;
	if (!n)
		return false;
	bool any_count = tiers[t].tier != MARKER_NATIVE && tiers[t].tier != MARKER_DETAILED;
	*out = roots_of(w, notes, row, n, tiers[t].method, any_count, a);
	if (strcmp(out->phase_confidence, "high") == 0)
		out->status = split_grade(out->coverage_selected, out->span_share, true);
	if (tiers[t].tier != MARKER_USER && widen(w, notes, row, n, f, a, &wide) &&
	    split_rank(wide.status) <= split_rank(out->status))
		*out = wide;
	return true;
}

static bool unknown_roots(const struct split_work *w, const struct notes *notes,
			  const struct family *f, struct arena *a, struct root_set *out)
{
	uint32_t *row = NEW(a, (size_t)notes->n + 1, uint32_t), best = NONE;

	for (uint32_t k = 0; k < notes->nfamilies; k++)
		if (f[k].n >= SPLIT_MIN_ROOTS && f[k].gpu > 0 &&
		    (best == NONE || better_family(&f[k], &f[best])))
			best = k;
	if (best == NONE)
		return false;
	uint32_t n = rows_of_family(notes, best, row);
	*out = roots_of(w, notes, row, n, "family:unknown_only", false, a);
	return true;
}

bool split_by_annotations(const struct split_work *w, struct split_options o, struct arena *a,
			  struct root_set *known, struct root_set *unknown)
{
	struct notes notes = collect_notes(w, o, a);
	struct launches l = sort_launches(w, a);
	struct family *f = measure_families(w, &notes, &l, a);

	*known = *unknown = root_set_none(NULL);
	bool any = known_roots(w, &notes, f, a, known);
	any |= unknown_roots(w, &notes, f, a, unknown);
	strings_free(&notes.skeletons);
	return any;
}
