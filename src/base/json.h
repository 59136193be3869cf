/*
 * json.h - a pull parser for small JSON: values of arguments, metadata of a trace.
 *
 *	struct json j = json_open(text);        // [[2, 3], [], "x"]
 *	while (json_next(&j))
 *		...                             // [ [ 2 3 ] [ ] "x" ], with their depths
 *
 * Every step gives one token: a scalar, the opening or the closing of a container.
 * Nothing is allocated, nothing recurses; the text must be in memory and outlive j.
 * Text that is not JSON ends the walk with `bad` set.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/arena.h"
#include "base/str.h"

enum json_type {
	JSON_NULL,
	JSON_FALSE,
	JSON_TRUE,
	JSON_NUMBER,
	JSON_STRING,
	JSON_LIST,   /* [ */
	JSON_OBJECT, /* { */
	JSON_CLOSE,  /* ] or } */
	JSON_WORD,   /* NaN, inf, N/A: what is not JSON but stands for a value */
};

struct json {
	const char *p, *end;
	enum json_type type;
	uint32_t depth;  /* of the token: 0 for the whole value; a container's CLOSE has its own */
	struct str key;  /* raw, quotes off; {NULL, 0} in a list */
	struct str text; /* raw: the digits, the string without quotes, the bracket */
	uint32_t open;   /* containers open behind the token */
	bool bad;
};

struct json json_open(struct str text);
/* The next token; false at the end of the value. */
bool json_next(struct json *j);
/* After a LIST or an OBJECT: on to its CLOSE. What was jumped over, brackets included. */
struct str json_skip(struct json *j);
/* The value of a key of the object `text` (the last one of that name), as raw JSON; {NULL, 0}. */
struct str json_get(struct str text, const char *key);
/* Of a NUMBER (an integer), or of a STRING of digits. */
bool json_i64(const struct json *j, int64_t *out);
/* Of a NUMBER, rounded to the nearest double whatever the locale. */
bool json_f64(const struct json *j, double *out);
/* A raw string without its quotes, decoded: itself if it has no escapes, else in `a`. */
struct str json_string(struct arena *a, struct str raw);

#endif
