/*
 * model.h - from rows as they were written to events that mean something.
 *
 * One pass each: kinds by table; lanes of GPU work by device and stream; B/E pairs and
 * async spans; times that cannot be; the window. Repairs are counted and keep the raw
 * figure. After it a trace is ready for trees, links and questions.
 */
#ifndef TRACE_MODEL_H
#define TRACE_MODEL_H

#include "trace/trace.h"

void model_build(struct trace *tr);

#endif
