/*
 * tlreport.h - the report of TraceLens, sheet by sheet, from a trace.
 *
 * For comparison with its reports and for who has tools on top of them: the same sheets,
 * columns, rows and figures, its own links of kernels to launches and its own rules
 * included. One file per group of sheets; all of them share what struct tlreport holds.
 * Times are doubles of microseconds here, because the original's are.
 */
#ifndef ANALYSIS_TLREPORT_H
#define ANALYSIS_TLREPORT_H

#include "analysis/ops_model.h"
#include "analysis/tlreport/tlpair.h"
#include "base/table.h"
#include "trace/link.h"

/* Some GPU work, as rows of links.gpu. */
struct tlwork {
	uint32_t n;
	const uint32_t *gpu;
};

/* The event that an operator's kernels are charged to, as ops_summary has it. */
struct tlowner {
	event_id event;
	node_id node;
	struct tlwork direct; /* its own kernels by start, without communication */
};

struct tlreport {
	struct trace *tr;
	struct lp_report_options o;
	const struct links *l;
	const struct tree *t;
	struct lp_answer *a;
	struct arena *arena; /* of the answer */
	struct arena scratch;
	struct ops_model model;
	struct tlpairs pairs;
	const char **tuples, **lists; /* of each string: as Python prints it; NULL: not asked yet */
	const uint8_t *recomputed; /* of each event: it is run a second time; NULL: not asked for */
	bool gpu_only;             /* there is no operator in the trace */
	double total;              /* of gpu_timeline, us */
	uint32_t *rank; /* of each row of links.gpu: its place by launch, then in the file */
	uint32_t nowners;
	struct tlowner *owner; /* by start */
	uint32_t *owner_of;    /* of each event; NONE */
	struct tlcosts *costs;
	struct tlstacks *stacks; /* NULL: nothing asks for them */
	const struct arch *arch; /* NULL: no roofline is asked for */
};

/* ---- what the sheets ask ---- */

/* All work launched at or below a node, in the order of the launches in the file. */
struct tlwork tlreport_below(struct tlreport *r, node_id i);
/* The length of the union, added up in doubles. */
double tlreport_busy(struct tlreport *r, struct tlwork w);
double tlreport_us(const struct trace *tr, event_id e);
bool tlreport_is_comm(const struct tlreport *r, uint32_t gpu);
/* Nearest operator at or above; NONE. */
node_id tlreport_op_above(const struct tlreport *r, node_id i);
/* The original's rule: by name, else by the first of the kernels that it owns directly. */
enum op_category tlreport_category(const struct tlreport *r, event_id e);
/* The same without a look at the list of names. */
enum op_category tlreport_category_by_kernel(const struct tlreport *r, event_id e);
/* The text of an argument as Python prints it; NULL if the event has none. */
const char *tlreport_arg(struct tlreport *r, event_id e, uint16_t key, bool tuples);
string_id tlreport_arg_id(const struct tlreport *r, event_id e, uint16_t key);

bool tlreport_recomputed(const struct tlreport *r, event_id e);
/* What events of one line have in common: texts by their numbers. */
enum { TLREPORT_KEY_WORDS = 9 };
void tlreport_key(const struct tlreport *r, event_id e, uint32_t *words);
const char *tlreport_process(const struct tlreport *r, event_id e);
const char *tlreport_label(const struct tlreport *r, event_id e);
const char *tlreport_thread(const struct tlreport *r, event_id e);

/* ---- the sheets ---- */

void tltimeline(struct tlreport *r);
void tlowner_find(struct tlreport *r);
void tlops(struct tlreport *r);
void tlunified(struct tlreport *r);
/* All work of the backward passes of an operator and of what is below it. */
struct tlwork tlunified_backward(struct tlreport *r, event_id forward);
void tlsheets(struct tlreport *r);
void tlkernel_summary(struct tlreport *r);
void tlshort(struct tlreport *r);
void tlcoll(struct tlreport *r);

/* The whole report; the tables may point into the trace. */
struct lp_answer *tlreport(struct trace *tr, struct lp_report_options o, struct lp_error *err);

#endif
