/* base64.h - a stream that writes what it gets as base64 (RFC 4648), without line breaks. */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include <stdio.h>

/* Closing it writes the last group; `out` stays open. NULL: out of memory. */
FILE *base64_open(FILE *out);

#endif
