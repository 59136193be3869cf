#include "analysis/split_steady.h"

#include "algo/sort.h"

#include <math.h>

/*
 * A counter walks over the iterations: up for each one near the peak until more than `few`
 * were seen (misses do not reset it), then down for each one away from it; at zero the
 * region is closed. One that is open at the end ends there.
 */
static uint32_t regions_near_peak(const int64_t *requests, uint32_t n, uint32_t wanted,
				  uint32_t few, struct range *out)
{
	int64_t peak = 0;
	uint32_t found = 0, counter = 0, start = 0;
	bool inside = false;

	for (uint32_t i = 0; i < n; i++)
		peak = MAX_OF(peak, requests[i]);
	int64_t tolerance = MAX_OF(INT64_C(1), peak * (n >= wanted ? 1 : 2) / 10);
	for (uint32_t i = 0; i < n; i++) {
		bool near = requests[i] >= peak - tolerance;

		if (!inside && near && ++counter > few) {
			inside = true;
			start = i + 1 - counter;
		} else if (inside && !near && --counter == 0) {
			out[found++] = (struct range){ start, i };
			inside = false;
		}
	}
	if (inside)
		out[found++] = (struct range){ start, n };
	if (!found && n) { /* nothing is steady: the middle */
		uint32_t spare = wanted > n ? wanted - n : 0, delta = MIN_OF(n, MAX_OF(8u, spare));
		uint32_t from = delta / 2, to = MAX_OF(from + 1, MIN_OF(n, n - delta / 2));

		out[found++] = (struct range){ from, MIN_OF(to, n) };
	}
	return found;
}

uint32_t steady_regions(const int64_t *requests, uint32_t n, uint32_t wanted, struct range *out)
{
	return regions_near_peak(requests, n, wanted, 5, out);
}

static uint32_t length_of(struct range r)
{
	return r.end - r.first;
}

static bool has_prefill(const struct step_info *s)
{
	return s->context_requests > 0;
}

static uint32_t prefills(const struct step_info *step, struct range r)
{
	uint32_t n = 0;

	for (uint32_t i = r.first; i < r.end; i++)
		n += has_prefill(&step[i]);
	return n;
}

static int64_t requests_in(const struct step_info *step, struct range r)
{
	int64_t sum = 0;

	for (uint32_t i = r.first; i < r.end; i++)
		sum += step[i].context_requests + step[i].generation_requests;
	return sum;
}

/* The longest run with (or without) prefill, the first among equals, cut to `wanted`. */
static struct range longest_run(const struct step_info *step, struct range in, bool prefill,
				uint32_t wanted)
{
	struct range best = { in.first, in.first }, run = best;

	for (uint32_t i = in.first; i < in.end; i++) {
		if (has_prefill(&step[i]) != prefill)
			run.first = i + 1;
		run.end = i + 1;
		if (length_of(run) > length_of(best))
			best = run;
	}
	best.end = MIN_OF(best.end, best.first + wanted);
	return best;
}

/* Closest to the usual share of prefills, then most requests, then first; with a prefill if any
 * has. */
static struct range mixed_window(const struct step_info *step, struct range in, double share,
				 uint32_t wanted)
{
	uint32_t slots = MAX_OF(1u, MIN_OF(wanted / 2, 10u)), stride = MAX_OF(1u, wanted / slots);
	struct range best = in;
	double best_miss = INFINITY;
	bool best_has = false;

	if (length_of(in) < wanted)
		return in;
	for (uint32_t i = in.first; i + wanted <= in.end; i += stride) {
		struct range r = { i, i + wanted };
		uint32_t n = prefills(step, r);
		double miss = fabs((double)n / wanted - share);
		bool better = miss < best_miss ||
			      (miss == best_miss && requests_in(step, r) > requests_in(step, best));

		if ((n > 0) != best_has ? n > 0 : better) {
			best = r;
			best_miss = miss;
			best_has = n > 0;
		}
	}
	return best;
}

/* The windows within s->region, whose share of prefills is s->prefill_share. */
static void pick_windows(const struct step_info *step, uint32_t wanted, struct steady_windows *s)
{
	s->mixed = mixed_window(step, s->region, s->prefill_share, wanted);
	s->decode = longest_run(step, s->region, false, wanted);
	s->prefill = longest_run(step, s->region, true, wanted);
}

double steady_ideal_share(const struct steady_load *load)
{
	if (!load || load->concurrency <= 0 || load->output_tokens <= 0)
		return 0;
	double ratio = fmin(fmax(load->range_ratio, 0), 1);

	return 2.0 * (double)load->concurrency / (load->output_tokens * (1 + ratio));
}

struct steady_windows steady_serving(const struct step_info *step, uint32_t n, uint32_t wanted,
				     const struct steady_load *load, struct arena *scratch)
{
	struct steady_windows s = { 0 };
	int64_t *requests = NEW(scratch, (size_t)n + 1, int64_t);
	struct range *region = NEW(scratch, (size_t)n + 1, struct range);
	uint32_t with = 0, all = 0;

	for (uint32_t i = 0; i < n; i++)
		requests[i] = step[i].context_requests + step[i].generation_requests;
	double ideal = steady_ideal_share(load);
	if (ideal > 0 && ceil(1 / ideal) > wanted)
		wanted = (uint32_t)fmin(ceil(1 / ideal), n);
	uint32_t found = steady_regions(requests, n, wanted, region);
	for (uint32_t i = 0; i < found; i++) {
		with += prefills(step, region[i]);
		all += length_of(region[i]);
		if (length_of(region[i]) > length_of(s.region))
			s.region = region[i];
	}
	s.prefill_share = all ? (double)with / all : 0;
	if (ideal > 0)
		s.prefill_share = ideal;
	pick_windows(step, wanted, &s);
	return s;
}

static bool smaller_size(const void *ctx, uint32_t a, uint32_t b)
{
	const int64_t *size = ctx;

	return size[a] < size[b];
}

/* Among the distinct sizes, the lower side of the largest jump; INT64_MAX without one of 2 or more.
 */
static int64_t jump(const int64_t *size, uint32_t n, struct arena *a)
{
	uint32_t *id = NEW(a, (size_t)n + 1, uint32_t), m = 0;
	int64_t *unique = NEW(a, (size_t)n + 1, int64_t), at = INT64_MAX;
	double largest = 2;

	for (uint32_t i = 0; i < n; i++)
		id[i] = i;
	sort_ids(id, n, NEW(a, (size_t)n + 1, uint32_t), smaller_size, size);
	for (uint32_t i = 0; i < n; i++)
		if (size[id[i]] > 0 && (!m || unique[m - 1] != size[id[i]]))
			unique[m++] = size[id[i]];
	/* the two smallest are often stray operators, if something like a decode is left */
	uint32_t from = m >= 4 && unique[2] <= 64 ? 2 : 0;
	for (uint32_t i = from; i + 1 < m; i++) {
		double ratio = (double)unique[i + 1] / (double)unique[i];

		if (ratio >= largest && (ratio > largest || at == INT64_MAX)) {
			largest = ratio;
			at = unique[i];
		}
	}
	return at;
}

bool steady_label_batches(const int64_t *size, uint32_t n, int64_t max_decode, bool *prefill,
			  struct arena *scratch)
{
	int64_t threshold = max_decode > 0 ? max_decode : jump(size, n, scratch);
	bool known = false;

	for (uint32_t i = 0; i < n; i++) {
		prefill[i] = size[i] > threshold;
		known = known || size[i] > 0;
	}
	return known;
}

/* The largest region of decodes near their peak, as rows of all iterations. */
static struct range batch_region(const int64_t *size, const bool *prefill, uint32_t n,
				 uint32_t wanted, struct arena *a)
{
	uint32_t *row = NEW(a, (size_t)n + 1, uint32_t), m = 0;
	int64_t *decode = NEW(a, (size_t)n + 1, int64_t);
	struct range *found = NEW(a, (size_t)n + 1, struct range), best = { 0, 0 };

	for (uint32_t i = 0; i < n; i++)
		if (!prefill[i]) {
			decode[m] = size[i];
			row[m++] = i;
		}
	if (!m)
		return (struct range){ 0, MIN_OF(wanted, n) };
	uint32_t k = regions_near_peak(decode, m, wanted, 1, found);
	for (uint32_t i = 0; i < k; i++)
		if (length_of(found[i]) > length_of(best))
			best = found[i];
	struct range r = { row[best.first], row[best.end - 1] + 1 };
	while (r.first && prefill[r.first - 1])
		r.first--;
	while (r.end < n && prefill[r.end])
		r.end++;
	return r;
}

struct steady_windows steady_batches(const int64_t *size, const bool *prefill, uint32_t n,
				     uint32_t wanted, struct arena *scratch)
{
	struct steady_windows s = { 0 };
	struct step_info *step = NEW(scratch, (size_t)n + 1, struct step_info);

	for (uint32_t i = 0; i < n; i++) {
		step[i].context_requests = prefill[i];
		step[i].generation_requests = prefill[i] ? 0 : MAX_OF(size[i], 1);
	}
	if (n)
		s.region = batch_region(size, prefill, n, wanted, scratch);
	s.prefill_share = length_of(s.region)
				  ? (double)prefills(step, s.region) / length_of(s.region)
				  : 0;
	pick_windows(step, wanted, &s);
	return s;
}

double steady_variation(const nsec *length, struct range r)
{
	double sum = 0, squares = 0;
	uint32_t n = length_of(r);

	for (uint32_t i = r.first; i < r.end; i++)
		sum += (double)length[i];
	if (n < 2 || sum <= 0)
		return 0;
	for (uint32_t i = r.first; i < r.end; i++)
		squares += ((double)length[i] - sum / n) * ((double)length[i] - sum / n);
	return sqrt(squares / n) / (sum / n);
}

struct range steady_by_length(const nsec *length, uint32_t n, uint32_t wanted)
{
	uint32_t w = MIN_OF(MAX_OF(wanted, 4u), n);
	struct range best = { 0, w };
	double best_variation = steady_variation(length, best);
	nsec best_sum = 0, sum = 0;

	for (uint32_t i = 0; i < w; i++)
		best_sum = sum += length[i];
	for (uint32_t i = 1; i + w <= n; i++) {
		struct range r = { i, i + w };
		double v = steady_variation(length, r);
		bool calm = v < 0.15, best_calm = best_variation < 0.15;

		sum += length[i + w - 1] - length[i - 1];
		if (calm != best_calm ? calm : calm ? sum < best_sum : v < best_variation) {
			best = r;
			best_variation = v;
			best_sum = sum;
		}
	}
	if (wanted < w) {
		best.first += (w - wanted) / 2;
		best.end = best.first + wanted;
	}
	return best;
}

static bool less(const void *ctx, uint32_t a, uint32_t b)
{
	const int64_t *v = ctx;

	return v[a] < v[b];
}

static int64_t median_of(const int64_t *v, uint32_t n, uint32_t *id, uint32_t *spare)
{
	for (uint32_t i = 0; i < n; i++)
		id[i] = i;
	sort_ids(id, n, spare, less, v);
	return v[id[n / 2]];
}

/*
 * An iteration agrees if it is within a tenth of the median or six median deviations from
 * it, in every figure. Single disagreeing ones are bridged if agreement goes on for longer
 * after them than they last: a hiccup does not end the steady state, a new regime does.
 */
struct range steady_by_change(const int64_t *value, uint32_t nvalues, uint32_t n,
			      struct arena *scratch)
{
	bool *odd = NEW(scratch, (size_t)n + 1, bool);
	uint32_t *id = NEW(scratch, (size_t)n + 1, uint32_t);
	uint32_t *spare = NEW(scratch, (size_t)n + 1, uint32_t);
	int64_t *off = NEW(scratch, (size_t)n + 1, int64_t);
	struct range best = { 0, 0 }, run = { 0, 0 };

	for (uint32_t k = 0; k < nvalues && n; k++) {
		const int64_t *v = value + (size_t)k * n;
		int64_t middle = median_of(v, n, id, spare);

		for (uint32_t i = 0; i < n; i++)
			off[i] = v[i] > middle ? v[i] - middle : middle - v[i];
		int64_t usual = MAX_OF(6 * median_of(off, n, id, spare), middle / 10);
		for (uint32_t i = 0; i < n; i++)
			odd[i] = odd[i] || off[i] > usual;
	}
	for (uint32_t i = 0; i < n; i++) {
		bool hiccup = odd[i] && i + 1 < n && !odd[i + 1] && i > run.first && !odd[i - 1];

		if (odd[i] && !hiccup)
			run.first = i + 1;
		run.end = i + 1;
		if (run.end > run.first && length_of(run) > length_of(best))
			best = run;
	}
	return length_of(best) < 4 ? (struct range){ 0, 0 } : best;
}
