/* report_page.h - the tables of a report that are for the page only: what its views draw. */
#ifndef ANALYSIS_REPORT_PAGE_H
#define ANALYSIS_REPORT_PAGE_H

#include "base/error.h"
#include "base/table.h"
#include "trace/trace.h"

struct lp_answer *report_page(struct trace *tr, struct lp_error *err);

#endif
