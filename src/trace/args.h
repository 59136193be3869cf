/*
 * args.h - the arguments of all events, 6 bytes each.
 *
 * An argument is a key and a value. The key is a small id with the type of the
 * value; the value fits 32 bits or is an index: of a string, of the raw text (a
 * fraction, a list, an object), or of a wide integer. Args are found by walking the
 * few an event has; nothing is parsed until somebody asks.
 *
 * Fields of an event outside "args" that have no column (id, bp, cname, s ...) are
 * arguments too, with the key "." + name: ".id".
 */
#ifndef TRACE_ARGS_H
#define TRACE_ARGS_H

#include "base/intern.h"
#include "trace/event.h"

enum arg_type {
	ARG_INT,  /* 0 .. 2^32-1 */
	ARG_WIDE, /* any other int64; value is a row of wide[] */
	ARG_STR,  /* a string, escapes decoded */
	ARG_TEXT, /* JSON in one line: fraction, huge number, list, object; NaN and the like are not
		     kept */
	ARG_TRUE,
	ARG_FALSE,
	ARG_NULL,
};

#define ARG_KEY_BITS 13 /* of a uint16_t; the rest is enum arg_type */
#define ARG_KEY_MAX  ((1u << ARG_KEY_BITS) - 2)

struct args {
	uint64_t n;
	uint16_t *key; /* key id | type << ARG_KEY_BITS */
	uint32_t *value;
	uint64_t *base; /* per block of events: add it to events.args */
	uint64_t nwide;
	int64_t *wide;
	struct strings keys; /* key id -> name; the well-known ones first, in enum arg_key order */
};

/* Keys that analyses ask for: their ids are fixed. */
#define ARG_KEYS(X)                           \
	X(CORRELATION, "correlation")         \
	X(EXTERNAL_ID, "External id")         \
	X(DEVICE, "device")                   \
	X(STREAM, "stream")                   \
	X(SEQUENCE, "Sequence number")        \
	X(FWD_THREAD, "Fwd thread id")        \
	X(PYTHON_ID, "Python id")             \
	X(PYTHON_PARENT, "Python parent id")  \
	X(PYTHON_MODULE, "Python module id")  \
	X(INPUT_DIMS, "Input Dims")           \
	X(INPUT_TYPE, "Input type")           \
	X(INPUT_STRIDES, "Input Strides")     \
	X(CONCRETE_INPUTS, "Concrete Inputs") \
	X(BYTES, "Bytes")                     \
	X(ID, ".id")                          \
	X(BIND_POINT, ".bp")

enum arg_key {
#define X(id, text) KEY_##id,
	ARG_KEYS(X)
#undef X
		KEY_KNOWN
};

struct trace;

struct arg {
	uint16_t key;
	uint8_t type; /* enum arg_type */
	uint32_t value;
};

/* The i-th argument of e; false past the last. */
bool arg_at(const struct trace *tr, event_id e, uint32_t i, struct arg *out);
/* The last argument of e with this key (as Python and JavaScript do). */
bool arg_find(const struct trace *tr, event_id e, uint16_t key, struct arg *out);
/* As an integer; a string of digits and 17.0 count; false if it is missing or something else. */
bool arg_i64(const struct trace *tr, event_id e, uint16_t key, int64_t *out);
/*
 * Its text: of a string the decoded bytes, of all else the JSON in one line; {NULL, 0}
 * if missing. Digits of an integer are only good until the eighth next call.
 */
struct str arg_text(const struct trace *tr, event_id e, uint16_t key);
/* The key id of a name that is not well known; UINT16_MAX if no event has it. */
uint16_t arg_key_id(const struct trace *tr, struct str name);

#endif
