/*
 * input.h - the bytes of a file, a compressed file or stdin, from front to end.
 *
 * Told by content: gzip (all members, zero padding after them) is inflated, all
 * else comes as it is. Damage (truncated or bad-CRC gzip) ends or marks the
 * stream and is reported by input_state, never an error: what came before counts.
 */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include "base/error.h"

struct input;

struct input_state {
	bool gzip;
	bool truncated; /* the gzip stream ends early */
	bool bad_crc;
	bool trailing;        /* bytes after the last member that are neither gzip nor zeros */
	uint64_t packed_size; /* bytes in the file; what has been read so far of a pipe */
	uint64_t packed_read; /* for progress */
	uint64_t size;        /* bytes given out so far */
	int copy_error;       /* errno: the temporary file could not be written */
	int read_error;       /* errno: the file could not be read to its end */
};

/* "-" is stdin. NULL if it cannot be opened or is a folder. */
struct input *input_open(const char *path, struct lp_error *err);
/* The same, and what comes from stdin is also put into a temporary file without a name, *copy, so
 * that it can be read again; -1 for a path. */
struct input *input_open_copied(const char *path, int *copy, struct lp_error *err);
/* Such a copy once more from its beginning; the descriptor stays open. */
struct input *input_open_copy(int copy, const char *path, struct lp_error *err);
/* The same over memory, which must stay. */
struct input *input_memory(const void *bytes, size_t n);
/* Fills buf as far as it can; fewer than cap bytes only at the end. */
size_t input_read(struct input *in, void *buf, size_t cap);
struct input_state input_state(const struct input *in);
void input_close(struct input *in);

#endif
