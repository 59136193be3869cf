/*
 * longest.h - longest paths in a graph whose nodes take time and whose edges have lags.
 *
 * The nodes are numbered so that every edge goes from a lower to a higher number, and
 * the edges into v are in[v] .. in[v + 1]:
 *
 *	start(v)  = max over edges u -> v of  finish(u) + lag      (0 without edges)
 *	finish(v) = start(v) + length(v)
 *
 * Each pass is one loop over nodes and edges, in integers.
 */
#ifndef ALGO_LONGEST_H
#define ALGO_LONGEST_H

#include "base/arena.h"

struct dag {
	uint32_t n;
	uint32_t *in;  /* n + 1 of them */
	uint32_t *src; /* in[n] of them: where each edge comes from */
};

/* "No deadline" in longest_backward. */
#define LONGEST_NEVER INT64_MAX

/* Fills finish[from .. to); what lies before is taken as it is. */
void longest_forward(const struct dag *g, uint32_t from, uint32_t to, const nsec *lag,
		     const nsec *length, nsec *finish);

/*
 * The latest finish of each node in [from, to) that no deadline notices: `late` comes in with the
 * deadlines of the nodes themselves and goes out with the smallest that follows from any.
 */
void longest_backward(const struct dag *g, uint32_t from, uint32_t to, const nsec *lag,
		      const nsec *length, nsec *late);

/*
 * Kahn's order of n nodes and m edges src[i] -> dst[i], lowest number first among those that are
 * ready; false if they hold a cycle, and then `order` has only the nodes before it.
 */
bool longest_order(uint32_t n, uint32_t m, const uint32_t *src, const uint32_t *dst,
		   uint32_t *order, struct arena *scratch);

#endif
