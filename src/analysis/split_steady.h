/*
 * split_steady.h - which iterations of a run are its steady state.
 *
 * Three tiers, by what is known of the iterations: how many requests each served, how
 * large its batch was, or only how long it took. A range is half-open: [first, end).
 */
#ifndef ANALYSIS_SPLIT_STEADY_H
#define ANALYSIS_SPLIT_STEADY_H

#include "analysis/split_marker.h"

struct range {
	uint32_t first, end;
};

/* The contiguous regions in which concurrency (requests per iteration) stays near its peak. */
uint32_t steady_regions(const int64_t *requests, uint32_t n, uint32_t wanted, struct range *out);

struct steady_windows {
	struct range region;  /* the largest region */
	struct range mixed;   /* `wanted` iterations with the usual share of prefills */
	struct range decode;  /* the longest run without prefill; empty if there is none */
	struct range prefill; /* the longest run with prefill */
	double prefill_share; /* over all regions */
};

/* What the load generator was told; zero: not known. */
struct steady_load {
	int64_t concurrency;  /* requests at a time */
	double output_tokens; /* of a request, at the most */
	double range_ratio;   /* the least length over the most, 0 to 1 */
};

/*
 * The share of iterations with a prefill that the load asks for: each request is prefilled
 * once and then decodes its mean length. 0 if the load does not tell.
 */
double steady_ideal_share(const struct steady_load *load);

/* `wanted` is raised until a window can hold a prefill at the ideal share. */
struct steady_windows steady_serving(const struct step_info *step, uint32_t n, uint32_t wanted,
				     const struct steady_load *load, struct arena *scratch);

/*
 * Which iterations have a prefill, by the size of their batch (0: not known, a decode): those
 * above max_decode, or, if that is 0, above the place where the distinct sizes make their
 * largest jump, of a factor of two or more. False if no size is known.
 */
bool steady_label_batches(const int64_t *size, uint32_t n, int64_t max_decode, bool *prefill,
			  struct arena *scratch);

/*
 * As steady_serving, but by sizes: the region is where decodes are near their largest size,
 * with the prefills beside and between them.
 */
struct steady_windows steady_batches(const int64_t *size, const bool *prefill, uint32_t n,
				     uint32_t wanted, struct arena *scratch);

/*
 * The window of `wanted` (at least four) iterations with the least mean length among those
 * that vary by less than 15 %; without one, the least varying.
 */
struct range steady_by_length(const nsec *length, uint32_t n, uint32_t wanted);

/*
 * The longest run of iterations that agree with the run's own median in each of `nvalues`
 * figures (value[k * n + i]), within a tenth or six deviations from the median: what is left when
 * warm-up, hiccups and wind-down are taken off. Empty if fewer than four agree.
 */
struct range steady_by_change(const int64_t *value, uint32_t nvalues, uint32_t n,
			      struct arena *scratch);

/* Deviation over mean of lengths [r.first, r.end); 0 for fewer than two. */
double steady_variation(const nsec *length, struct range r);

#endif
