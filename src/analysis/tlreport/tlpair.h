/*
 * tlpair.h - forward and backward operators as TraceLens ties them.
 *
 * By sequence number alone: the first wrapper of a number, and of the operators with that
 * number on other threads the one that began last.
 */
#ifndef ANALYSIS_TLPAIR_H
#define ANALYSIS_TLPAIR_H

#include "trace/pair.h"
#include "trace/tree.h"

struct tlpairs {
	struct pairs p; /* forward[] of wrappers, backward[] the first of the forward */
	event_id *next; /* of a wrapper: the next one of the same forward operator; NONE */
};

struct tlpairs tlpair_find(struct arena *a, struct trace *tr);

#endif
