/*
 * columns.h - the memory of the big arrays of a trace that was read from a file.
 *
 * Growing changes where the arrays are; nobody may be using them then.
 */
#ifndef TRACE_COLUMNS_H
#define TRACE_COLUMNS_H

#include "trace/trace.h"

struct columns *columns_new(void);
void columns_reserve_rows(struct trace *tr, size_t n);
void columns_reserve_args(struct trace *tr, size_t nargs, size_t nwide);
void columns_reserve_blocks(struct trace *tr, size_t n);
/* Gives back what is not used. */
void columns_trim(struct trace *tr);
void columns_free(struct columns *c);

#endif
