/* The answers of all questions as one: their tables, under the sentences of each. */
#include "analysis/tlreport/tlreport.h"

struct lp_answer *lp_report(struct lp_trace *tr, struct lp_report_options o, struct lp_error *err)
{
	return tlreport((struct trace *)tr, o, err);
}
