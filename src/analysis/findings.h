/*
 * findings.h - what matters most, in plain sentences, made from the answers to the other questions.
 *
 * A rule looks at tables that are there and adds what it finds; a time is always a cell of one of
 * them, or the sum of some, so that no figure exists twice. findings_add() drops what is below the
 * threshold of the rule. All rules stand in one table, in findings.c.
 */
#ifndef ANALYSIS_FINDINGS_H
#define ANALYSIS_FINDINGS_H

#include "analysis/cells.h"
#include "base/arena.h"
#include "trace/trace.h"

struct finding {
	nsec time;
	double share; /* percent of what the rule says; compared with its threshold */
	bool saving;  /* a predicted gain, not a time that was spent */
	const char *sentence;
	const char *view;    /* of the page: where more of it is */
	const char *command; /* "ops", "critical-path --table path": prints more of it; or NULL */
	const char *rule;    /* set by findings_add */
};

struct facts;
typedef void finding_rule(struct facts *f);

struct facts {
	struct trace *tr;
	struct answers answers;
	struct arena *arena;
	nsec window; /* what percentages are of */
	const char *rule;
	double least; /* of the rule at work: shares below are dropped */
	uint32_t n, cap;
	struct finding *at;
};

void findings_add(struct facts *f, struct finding new);

/* A name within a sentence: short, and safe to print. */
const char *findings_name(const struct facts *f, const char *name);
/* A command on this trace; NULL if it came from stdin. */
const char *findings_command(const struct facts *f, const char *command);

/* findings_path.c: the critical path, and what it would gain */
finding_rule find_bound, find_classes, find_holder, find_what_if, find_what_if_group;
/* findings_gpu.c: where GPU time goes */
finding_rule find_idle, find_communication, find_copies, find_pageable;
/* findings_work.c: operators, kernels, steps */
finding_rule find_op, find_roofline, find_short_kernels, find_unlinked, find_steps;
/* findings_none.c: when there is little to go on */
finding_rule find_no_time, find_no_gpu, find_no_host, find_one_event;

/* Tables trust and missing. */
void trust_table(struct lp_answer *a, const struct facts *f);
void missing_table(struct lp_answer *a, const struct facts *f);

#endif
