/*
 * say.h - numbers as sentences have them: "5,165", "27.768 ms", "47.4 %".
 *
 * For headlines, doubts and footers; tables are written by the renderer. The texts
 * live in the arena given.
 */
#ifndef BASE_SAY_H
#define BASE_SAY_H

#include "base/arena.h"

/* With a comma between thousands. */
const char *say_count(struct arena *a, int64_t n);
/* Three decimals of the largest of ns, µs, ms and s that is not above the time. */
const char *say_time(struct arena *a, nsec t);
/* The same with binary units: "1.500 GiB". */
const char *say_bytes(struct arena *a, int64_t n);
/* part of whole, one decimal: "47.4 %"; "n/a" of nothing. */
const char *say_percent(struct arena *a, int64_t part, int64_t whole);
/* "1 kernel", "2,076 kernels". */
const char *say_many(struct arena *a, int64_t n, const char *one, const char *more);
/* "[[16, 64], [], [64]]" or "((16, 64), (), (64,))" as "16,64  64". */
const char *say_dims(struct arena *a, const char *text);
/* As a shell takes it: in quotes if it needs them. For commands to run next. */
const char *say_path(struct arena *a, const char *path);

#endif
