/*
 * utf8.h - text of unknown origin on its way to a terminal or a file.
 *
 * Names in traces may hold any bytes. Here they are decoded without trust, measured
 * in columns of a terminal, and made safe to show: nothing that is shown can move the
 * cursor, start a line, or turn the direction of what follows.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include "base/arena.h"
#include "base/str.h"

#define UTF8_BAD 0xfffdffffu /* not a code point: these bytes are not UTF-8 */

/* The code point at *at, which moves past it, or UTF8_BAD and one step on. */
uint32_t utf8_next(struct str s, size_t *at);
/* Columns it takes: 0 (combining marks), 1, or 2 (East Asian and emoji). */
unsigned utf8_width(uint32_t code);
/* Columns of a safe text. */
unsigned utf8_columns(const char *safe);

enum utf8_for {
	UTF8_TERMINAL, /* printable: also what is invisible or turns the direction as \u202e */
	UTF8_ASCII,    /* a terminal without UTF-8: ... for …, u for µ, \u4e2d for all else */
	UTF8_LINE,     /* valid and one line, all else kept */
};

/*
 * `s` on one line: control characters as \n or \x1b, bad bytes as U+FFFD. On terminals
 * without the blanks at its end, which nobody would see. NUL-terminated.
 */
const char *utf8_safe(struct arena *a, struct str s, enum utf8_for reader);
/* The longest head (or, from the back, tail) of a safe text within `columns`; its length in bytes.
 */
size_t utf8_head(const char *safe, unsigned columns);
size_t utf8_tail(const char *safe, unsigned columns);

#endif
