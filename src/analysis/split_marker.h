/*
 * split_marker.h - what the name of an annotation says about an iteration.
 *
 * Serving engines write the composition of a batch into the name of the annotation
 * around each iteration: `execute_context_1(256)_generation_2(2)`, `step[DECODE bs=20]`.
 * split_markers is the table of the shapes we know; users add regular expressions.
 */
#ifndef ANALYSIS_SPLIT_MARKER_H
#define ANALYSIS_SPLIT_MARKER_H

#include "base/arena.h"
#include "base/str.h"

/* Detailed names win over native ones: if a trace has any, only they are iterations. */
enum marker_tier { MARKER_NONE, MARKER_DETAILED, MARKER_NATIVE, MARKER_PROFILER_STEP, MARKER_USER };

enum step_phase { PHASE_IDLE, PHASE_PREFILL, PHASE_MIXED, PHASE_DECODE };

/* One iteration as its name tells it; sums run over the requests of the batch. */
struct step_info {
	enum marker_tier tier;
	bool has_sqsk;      /* the sums of squares and products are given */
	int64_t batch_size; /* tokens, or what the engine calls a batch */
	int64_t context_requests, generation_requests;
	int64_t context_sum, generation_sum; /* tokens */
	int64_t c_sq, c_sk, c_sqsq,
		c_sqsk; /* prefill part: query, key, query^2, query*key lengths */
	int64_t g_sq, g_sk, g_sqsq, g_sqsk; /* decode part */
	int64_t width, height;              /* diffusion; else 0 */
};

struct marker_set; /* user patterns, compiled */

/*
 * Reads the name; .tier is MARKER_NONE if no shape fits. The record is then that of one
 * decode-like step (batch 1, one generation request), so sums stay defined.
 */
struct step_info marker_read(struct str name, const struct marker_set *user);
enum step_phase step_phase_of(const struct step_info *s);
const char *step_phase_name(enum step_phase p);

/* The family of a name: every run of digits becomes '#'. */
struct str marker_skeleton(struct arena *a, struct str name);

/* Compiles POSIX extended expressions; NULL and the reason in `err` if one is wrong. */
struct lp_error;
struct marker_set *marker_set_new(const char *const *patterns, unsigned n, struct lp_error *err);
void marker_set_free(struct marker_set *m);

#endif
