/*
 * longpole_tree.h - call trees, both ways up, of sampled profiles and of traces.
 *
 *	open a profile -> open a tree, top-down or inverted -> its nodes, or an answer
 *
 * Part of longpole.h, which includes it.
 */
#ifndef LONGPOLE_TREE_H
#define LONGPOLE_TREE_H

#include "longpole.h"

#ifdef __cplusplus
extern "C" {
#endif

struct lp_profile; /* threads of sampled stacks */

struct lp_profile_options {
	/*
	 * What samples weigh. Of a trace: "cpu" (or NULL: self time of Python functions, operators
	 * and calls), "gpu" (time of the work they launched), "samples" (calls). Of a profile: NULL
	 * is what the file says; "time" (Firefox: from each sample to the next), "period" or the
	 * name of an event (perf script), the name of a value (pprof).
	 */
	const char *weight;
	bool kernels;     /* of a trace by "gpu": the kernels are frames, too */
	bool instances;   /* of a trace: "nn.Module: Linear_12" keeps its number */
	bool firefox;     /* names as Firefox Profiler reads them, for comparison */
	bool sums;        /* no window will be asked for: equal stacks may be kept as one sample */
	unsigned threads; /* for reading a trace; 0: as many as there are processors */
	bool strict;
	void (*progress)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
};

/*
 * Reads a profile or a trace; formats are told by content. A question may put a profile in another
 * order: what is open on one profile is for one thread at a time.
 */
LP_API struct lp_profile *lp_profile_open(const char *path, struct lp_profile_options o,
					  struct lp_error *err);
/* The stacks of a trace, which must outlive them. */
LP_API struct lp_profile *lp_profile_of_trace(struct lp_trace *tr, struct lp_profile_options o,
					      struct lp_error *err);
/*
 * `after` less `before`, all threads of each merged, as one thread of signed weights;
 * normalized, `before` is first scaled to the sum of `after`. Both may be closed afterwards.
 */
LP_API struct lp_profile *lp_profile_diff(const struct lp_profile *before,
					  const struct lp_profile *after, bool normalize,
					  struct lp_error *err);
LP_API void lp_profile_close(struct lp_profile *p);
LP_API uint32_t lp_profile_threads(const struct lp_profile *p);
LP_API uint64_t lp_profile_samples(const struct lp_profile *p); /* rows, of all threads */

enum lp_transform_kind {
	LP_MERGE,              /* frames disappear; their callees hang from their callers */
	LP_DROP,               /* stacks with them are left out */
	LP_FOCUS,              /* stacks begin at the outermost of them */
	LP_FOCUS_SELF,         /* only what runs in them */
	LP_COLLAPSE_RECURSION, /* an inner call is the outer one */
	LP_COLLAPSE_DIRECT,    /* the same for direct recursion only */
	LP_COLLAPSE_SUBTREE,   /* what is below them is charged to them */
};

struct lp_transform {
	enum lp_transform_kind kind;
	const char *functions; /* exact name, or else an extended regular expression */
};

struct lp_tree_options {
	bool invert;        /* functions first, then their callers */
	const char *thread; /* "0" .. in the order of the file; "all"; NULL: the busiest */
	const struct lp_transform *transforms;
	unsigned ntransforms;
	const char *root;   /* one function: what it calls; inverted: who calls it */
	bool firefox_order; /* ties as Firefox Profiler has them */
};

struct lp_tree; /* a call tree, one way up, under a filter */

/* The profile must outlive the tree. */
LP_API struct lp_tree *lp_tree_open(const struct lp_profile *p, struct lp_tree_options o,
				    struct lp_error *err);
LP_API void lp_tree_close(struct lp_tree *t);

struct lp_tree_filter {
	lp_window window;          /* of a profile: a pair of times from its first sample */
	const char *const *search; /* each "a,b": stacks with all of these texts or /expressions/ */
	unsigned nsearch;
	bool no_waits; /* leave time out in which calls only wait for a GPU */
};

/* Replaces the filter: sums change, nodes do not. On an error the old one stays. */
LP_API bool lp_tree_filter(struct lp_tree *t, struct lp_tree_filter f, struct lp_error *err);

/*
 * The name of a node, the same under every filter and however much has been opened. Stacks are
 * numbered in preorder, callees in order of function; `leaf` is the first stack of those that
 * make up the node, `at` its ancestor where the node's path ends. Top-down both are the node.
 */
struct lp_node {
	uint32_t leaf, at;
};

struct lp_node_data {
	const char *name, *file; /* file: NULL if unknown */
	int64_t total, self;     /* in units of 10^-places */
	int64_t count, wait;     /* samples or calls; the part of total that waits for a GPU */
	uint32_t depth;          /* 0: a root */
	bool has_children;
};

/* All of them return how many there are and store the first `cap`, ranked. */
LP_API uint32_t lp_tree_roots(struct lp_tree *t, struct lp_node *out, uint32_t cap);
LP_API uint32_t lp_tree_children(struct lp_tree *t, struct lp_node n, struct lp_node *out,
				 uint32_t cap);
LP_API uint64_t lp_tree_descendants(struct lp_tree *t, struct lp_node n, struct lp_node *out,
				    uint64_t cap);
/* The names from a root to the node. */
LP_API uint32_t lp_tree_path(struct lp_tree *t, struct lp_node n, const char **out, uint32_t cap);
/* The first `limit` of the callees of a node, or of the roots (NULL), as table nodes. */
LP_API struct lp_answer *lp_tree_nodes(struct lp_tree *t, const struct lp_node *below,
				       uint32_t limit, struct lp_error *err);
/* From the node to the leaf, or root of the profile, of the heaviest stack below it. */
LP_API uint32_t lp_tree_heaviest(struct lp_tree *t, struct lp_node n, struct lp_node *out,
				 uint32_t cap);
/* False: there is no such node. */
LP_API bool lp_tree_node(struct lp_tree *t, struct lp_node n, struct lp_node_data *out);
LP_API bool lp_tree_parent(struct lp_tree *t, struct lp_node n, struct lp_node *out);
/* The node at the end of a path of names; of many paths, found[i] says which of out[] are one. */
LP_API bool lp_tree_find(struct lp_tree *t, const char *const *path, uint32_t n,
			 struct lp_node *out);
LP_API uint32_t lp_tree_find_many(struct lp_tree *t, const char *const *const *paths,
				  const uint32_t *lengths, uint32_t npaths, struct lp_node *out,
				  bool *found);
/* match[i] says whether sample i belongs to the node under the filter; returns how many do. */
LP_API uint64_t lp_tree_matches(struct lp_tree *t, struct lp_node n, uint8_t *match, uint64_t cap);
/* The whole: sum of weights, and of their sizes, which is what is 100 %; digits after the point. */
LP_API int64_t lp_tree_sum(const struct lp_tree *t, int64_t *magnitude, unsigned *places);

struct lp_tree_show {
	unsigned roots;     /* so many; 0: all */
	unsigned depth;     /* levels, the root included; 0: all */
	double min_percent; /* of the whole */
	unsigned max_nodes; /* the heaviest, if there are more; 0: a million */
	bool forks;         /* top-down: leave out nodes that pass 99.9 % on to one callee */
	bool functions;     /* a list of functions instead of a tree */
	bool pairs;         /* columns root_node and call_node: leaf and at of struct lp_node */
	bool plain;         /* no columns that are only for people */
	bool runs; /* with plain: rows in runs (lp_table.more) if they are surely few enough */
};

/* Table tree (or functions). While its rows come in runs, the tree is not to be asked else. */
LP_API struct lp_answer *lp_tree_answer(struct lp_tree *t, struct lp_tree_show s,
					struct lp_error *err);
/* Tables callers and callees of one function. */
LP_API struct lp_answer *lp_butterfly(const struct lp_profile *p, const char *function,
				      struct lp_tree_options o, struct lp_tree_filter f,
				      struct lp_tree_show s, struct lp_error *err);

enum lp_profile_format { LP_COLLAPSED, LP_SPEEDSCOPE, LP_FIREFOX };

/*
 * Writes the stacks of the tree, top-down, with their weights under the filter, for other
 * viewers. Compressed if the path ends in ".gz"; "-" is stdout.
 */
LP_API bool lp_tree_write(struct lp_tree *t, enum lp_profile_format f, const char *path,
			  struct lp_error *err);

#ifdef __cplusplus
}
#endif

#endif
