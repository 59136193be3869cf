/* base.h - the few words every file of this program may use. */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int64_t nsec;       /* a time or a length of time; never a double */
typedef uint32_t event_id;  /* row of struct events: place in the file's list, from 0 */
typedef uint32_t node_id;   /* row of struct tree */
typedef uint32_t string_id; /* row of struct strings */
typedef uint32_t lane_id;   /* row of struct lanes */

#define NONE      UINT32_MAX /* "no such row", for every id type */
#define NSEC_NONE INT64_MIN  /* "no such time" */

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#define MUST_CHECK        __attribute__((warn_unused_result))
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))
#define LIKELY(x)         __builtin_expect(!!(x), 1)
#define UNLIKELY(x)       __builtin_expect(!!(x), 0)

/* At least 64 readable bytes must follow every buffer that SIMD code reads. */
#define PADDING 64

#define MIN_OF(a, b) ((a) < (b) ? (a) : (b))
#define MAX_OF(a, b) ((a) > (b) ? (a) : (b))

#endif
