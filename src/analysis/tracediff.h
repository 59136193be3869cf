/*
 * tracediff.h - the diff of TraceLens, rule by rule, for comparison with that tool.
 *
 * Its call tree, its roots, its merge and its files; nothing here is shared with the diff
 * of our own but names, fingerprints and the aligner.
 */
#ifndef ANALYSIS_TRACEDIFF_H
#define ANALYSIS_TRACEDIFF_H

#include "algo/align.h"
#include "analysis/diff_merge.h"

struct tracediff_side {
	struct diff_side *s;
	uint32_t nroots;
	uint32_t *root; /* nodes, in the order of the original */
	/*
	 * A root above a chain of frames is replaced by the end of the chain, and then has its
	 * children: lifted[i] is that end for the root `top[i]`, by rising node.
	 */
	uint32_t nlifted;
	uint32_t *top, *lifted;
};

struct tracediff_options {
	bool python;
	bool compat_roots; /* the duplicated root of the original */
};

/* The sides of `d` as the original's trees. */
void tracediff_load(struct diff_sides *d, struct tracediff_side t[2], struct trace *before,
		    struct trace *after, struct tracediff_options o);
/* The same from nodes that are already there. */
struct tracediff_side tracediff_roots(struct diff_side *s, const uint32_t *cpu_root, uint32_t n,
				      bool compat, struct arena *a);

/*
 * The merged tree. A node may hang below two others (compat_roots), so children are
 * lists. Ids count up in depth-first order of the first visit.
 */
struct tracediff_merged {
	uint32_t n;
	uint32_t *node[2];
	uint32_t *parent; /* the one it was first met under; NONE */
	uint32_t *first;  /* n + 1 of them: children child[first[i] .. first[i + 1]) */
	uint32_t *child;
	uint32_t nroots;
	uint32_t *root;
};

struct tracediff_merged tracediff_merge(const struct diff_sides *d,
					const struct tracediff_side t[2], struct arena *a);

/* The one form of a merged tree from the other; without duplicated roots. */
struct diff_merged tracediff_as_diff(const struct diff_sides *d, const struct tracediff_merged *m,
				     struct arena *a);
struct tracediff_merged tracediff_from_diff(const struct diff_merged *m, struct arena *a);

/* An alignment and what makes of it the names that are there several times. */
struct tracediff_ops {
	uint32_t n;
	struct align_op *at;
};

struct tracediff_ops tracediff_align(const struct diff_sides *d, const uint32_t *l1, uint32_t n1,
				     const uint32_t *l2, uint32_t n2, bool bare, struct arena *a);
struct tracediff_ops tracediff_untangle(const struct diff_sides *d, const uint32_t *l1, uint32_t n1,
					const uint32_t *l2, uint32_t n2, struct tracediff_ops ops,
					struct arena *a);

/* The merged tree as the original prints it. */
bool tracediff_write_tree(const struct diff_sides *d, const struct tracediff_merged *m,
			  bool prune_non_gpu, FILE *out);

/* The name as the trace has it. */
struct str tracediff_raw_name(const struct diff_sides *d, int side, uint32_t node);

#endif
