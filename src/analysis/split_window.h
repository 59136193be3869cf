/*
 * split_window.h - what `--window` names, iterations included.
 *
 * iteration:N is the stretch of time of slice N of `longpole split`, gaps to the next
 * iteration included, so the windows of all iterations add up to the loop. All else is
 * trace_window().
 */
#ifndef ANALYSIS_SPLIT_WINDOW_H
#define ANALYSIS_SPLIT_WINDOW_H

#include "trace/window.h"

bool split_window(struct trace *tr, const char *text, struct window *out, struct lp_error *err);

#endif
