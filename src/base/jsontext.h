/*
 * jsontext.h - what stands in JSON text, valid or nearly so.
 *
 * The tolerant rules for strings, words and nested values, in one place. Each looks
 * at [p, end) and tells three things apart: it is whole, it is not JSON even with
 * much good will, or the text ends first. Odd but readable things are counted.
 */
#ifndef BASE_JSONTEXT_H
#define BASE_JSONTEXT_H

#include "base/base.h"
#include "base/str.h"

enum scan { SCAN_OK, SCAN_MORE, SCAN_BAD };

/* Oddities inside a value. */
enum fault {
	FAULT_BAD_ESCAPE,     /* each */
	FAULT_LONE_SURROGATE, /* each */
	FAULT_BAD_UTF8,       /* once per string */
	FAULT_CONTROL_CHAR,   /* once per string */
	FAULT_NON_FINITE,
	FAULT_BARE_TOKEN,
	FAULT_EXTRA_COMMA,
	FAULT_ODD_NUMBER,
	FAULTS
};

/* Zeroed to begin with. A function that takes one adds to it; NULL counts nothing. */
struct faults {
	uint32_t n[FAULTS];
	uint32_t at[FAULTS]; /* the first, from the start of the value */
	bool any;
};

/* What a word (a value that is no string and no container) is. */
enum word {
	WORD_NUMBER,
	WORD_ODD_NUMBER,
	WORD_TRUE,
	WORD_FALSE,
	WORD_NULL,
	WORD_NON_FINITE,
	WORD_BARE
};

#define JSON_DEPTH_MAX 4096

/* Counts one more at `at`. */
void fault_hit(struct faults *f, enum fault what, size_t at);

static inline bool json_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static inline const char *json_skip_blanks(const char *p, const char *end)
{
	while (p < end && json_blank(*p))
		p++;
	return p;
}

/* From behind the opening quote to the closing one. */
enum scan json_string_end(const char **p, const char *end);
/* Behind the word that starts at p; a word that touches `end` is SCAN_MORE. */
enum scan json_word_end(const char **p, const char *end);
/* Behind the value that starts at p, whatever it is. Deeper than JSON_DEPTH_MAX is bad. */
enum scan json_value_end(const char **p, const char *end);
enum word json_word(struct str word);

/*
 * The bytes that the inside of a string stands for. Unknown escapes stay as they are;
 * bytes that are not UTF-8 and halves of surrogate pairs are kept (as three bytes), so
 * that different names stay different; a zero byte becomes "\u0000". `out` holds 6 * n, or is NULL:
 * faults only, counted from `at` on.
 */
size_t json_unescape(struct str raw, char *out, struct faults *f, size_t at);
/*
 * A list or an object in one line, blanks as json.dumps puts them, strings as they
 * are. `out` holds 2 * n. The value must be one that json_value_end() accepts.
 */
size_t json_tidy(struct str raw, char *out, struct faults *f);

#endif
