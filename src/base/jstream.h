/*
 * jstream.h - pulling values out of JSON of any size, through a window.
 *
 * For documents that are too large to hold: columns of numbers are parsed as they
 * come by, what nobody asked for is skipped at memory speed, and only the string or
 * number at hand must fit into the window (which grows for it).
 *
 *	jstream_object(js);
 *	while (jstream_key(js, &key))
 *		if (str_eq(key, STR("name")))
 *			jstream_string(js, &name);
 *		else
 *			jstream_skip(js);
 *	return jstream_ok(js);
 *
 * Every value must be taken or skipped. The first error sticks: from then on every
 * function returns false, so a reader asks jstream_ok() once, at its end.
 */
#ifndef BASE_JSTREAM_H
#define BASE_JSTREAM_H

#include "base/narrow.h"
#include "base/scaled.h"
#include "base/scroll.h"

enum jstream_type {
	JSTREAM_NONE, /* the end of the text, or an error */
	JSTREAM_OBJECT,
	JSTREAM_ARRAY,
	JSTREAM_STRING,
	JSTREAM_NUMBER,
	JSTREAM_TRUE,
	JSTREAM_FALSE,
	JSTREAM_NULL,
};

struct jstream {
	struct scroll *w;
	const char *path;
	struct lp_error *err;
	bool failed;
};

/* A growing column of 32-bit numbers; null and negative ones are NONE. */
struct jstream_ids {
	uint32_t *at;
	size_t n, cap;
};

/* How often each small number came; those too large to be counted are `wild`. */
struct jstream_counts {
	struct narrow of; /* a number that is not below of.n came never */
	uint64_t seen, wild;
	struct jstream_ids carry; /* while counting: those whose byte in `of` has begun anew */
};

/* A growing column of decimals with one scale: value = at[i] x 10^-places. */
struct jstream_decimals {
	int64_t *at;
	size_t n, cap;
	unsigned places;
};

/* Nothing is copied and nothing needs closing: the window is the caller's. */
struct jstream jstream_open(struct scroll *w, const char *path, struct lp_error *err);
bool jstream_ok(const struct jstream *js);
/* Fails at the value at hand. */
bool jstream_fail(struct jstream *js, const char *what);

enum jstream_type jstream_peek(struct jstream *js);
bool jstream_object(struct jstream *js);
/* The next key, valid until the next call; false past the last one. */
bool jstream_key(struct jstream *js, struct str *key);
bool jstream_array(struct jstream *js);
/* Is there one more item? It is then at hand. */
bool jstream_item(struct jstream *js);
/* Escapes decoded; valid until the next call. */
bool jstream_string(struct jstream *js, struct str *out);
/* The text of a number. */
bool jstream_number(struct jstream *js, struct str *out);
bool jstream_i64(struct jstream *js, int64_t *out);
/* true if it is `true`; any other value is taken as false. */
bool jstream_true(struct jstream *js);
bool jstream_skip(struct jstream *js);
/* A copy of a string or a number, "" of anything else; the caller frees it. */
char *jstream_text(struct jstream *js);
/* A number as it is written; false if the value is none, or (an error) too large for 64 bits. */
bool jstream_scaled(struct jstream *js, struct scaled *out);

/* Whole arrays of numbers; strings of digits count as numbers, anything else is an error. */
bool jstream_ids(struct jstream *js, struct jstream_ids *out);
/* The same in few bytes, each plus one: 0 is null. */
bool jstream_narrow(struct jstream *js, struct narrow *out);
/* The same, only counted; nulls are not. */
bool jstream_counts(struct jstream *js, struct jstream_counts *out);
/* Null counts as 0. At most 9 places are kept. */
bool jstream_decimals(struct jstream *js, struct jstream_decimals *out);
/* The same, rounded to out->places as it is set. */
bool jstream_fixed(struct jstream *js, struct jstream_decimals *out);

/* One number appended, or null. */
bool jstream_one_id(struct jstream *js, struct jstream_ids *out);
bool jstream_one_narrow(struct jstream *js, struct narrow *out);
bool jstream_one_decimal(struct jstream *js, struct jstream_decimals *out);
bool jstream_one_fixed(struct jstream *js, struct jstream_decimals *out);
void jstream_push_id(struct jstream_ids *c, uint32_t v);
void jstream_push_decimal(struct jstream_decimals *c, int64_t v);

/* Past blanks; the byte at hand, 0 at the end. */
int jstream_byte(struct jstream *js);

#endif
