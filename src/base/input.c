/*
 * The file comes in blocks of 64 KiB by read(), never by mmap: a file that is cut
 * while we read it must not kill us. A gzip file is a chain of members; between two
 * of them, and after the last, stands whatever input_state() tells of.
 *
 * Inflating always goes in units of one size, whatever is asked for: how much a library
 * gives of a damaged stream depends on how much room it has.
 */
#include "base/input.h"

#include "base/arena.h"
#include "base/inflate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK ((size_t)64 << 10)
#define UNIT  ((size_t)128 << 10)
#define KEEP  16 /* bytes already used that an inflater may still hand back */

struct input {
	int fd;
	bool memory; /* block[] is somebody else's, and all there is */
	bool eof;    /* nothing follows what is in block[] */
	const unsigned char *block;
	size_t at, n;
	struct inflate *inflate; /* NULL: not gzip */
	bool in_member;
	bool over;
	unsigned char *unit; /* inflated bytes not given out yet: unit_at .. unit_n */
	size_t unit_at, unit_n;
	int copy;      /* -1: what is read is not copied */
	bool borrowed; /* the descriptor is not ours to close */
	struct input_state state;
};

/* The copy of a pipe; the first failure ends it. */
static void copy_out(struct input *in, const char *p, size_t n)
{
	while (n && !in->state.copy_error) {
		ssize_t done = write(in->copy, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0) {
			in->state.copy_error = done ? errno : ENOSPC;
			return;
		}
		p += done;
		n -= (size_t)done;
	}
}

/* Up to n bytes from the file; 0 at its end. */
static size_t fetch(struct input *in, void *to, size_t n)
{
	ssize_t got;

	do
		got = read(in->fd, to, n);
	while (got < 0 && errno == EINTR);
	if (got <= 0) {
		in->state.read_error = got ? errno : 0;
		in->eof = true;
		return 0;
	}
	in->state.packed_read += (size_t)got;
	if (in->copy >= 0)
		copy_out(in, to, (size_t)got);
	return (size_t)got;
}

static void refill(struct input *in)
{
	unsigned char *block = (unsigned char *)(uintptr_t)in->block;

	if (in->at > KEEP) {
		size_t gone = in->at - KEEP;

		memmove(block, block + gone, in->n - gone);
		in->n -= gone;
		in->at -= gone;
	}
	while (!in->eof && in->n < BLOCK)
		in->n += fetch(in, block + in->n, BLOCK - in->n);
}

/* Makes n bytes available if the file has them. */
static bool have(struct input *in, size_t n)
{
	if (in->n - in->at < n && !in->eof)
		refill(in);
	return in->n - in->at >= n;
}

static bool at_member(struct input *in)
{
	return have(in, 2) && in->block[in->at] == 0x1f && in->block[in->at + 1] == 0x8b;
}

/* After a member: the next one, padding, or what does not belong here. */
static void next_member(struct input *in)
{
	while (have(in, 1) && !in->block[in->at])
		in->at++;
	if (at_member(in)) {
		inflate_start(in->inflate);
		in->in_member = true;
		return;
	}
	in->state.trailing = have(in, 1);
	in->over = true;
}

static size_t inflate_some(struct input *in, unsigned char *out, size_t cap)
{
	struct inflate_step s = { in->block + in->at, in->n - in->at, out, cap };

	have(in, 1);
	s.in = in->block + in->at;
	s.in_n = in->n - in->at;
	enum inflate_end end = inflate_run(in->inflate, &s);
	bool starved = s.out_n == cap && s.in_n == in->n - in->at;

	in->at = in->n - s.in_n;
	if (end == INFLATE_MEMBER_END || end == INFLATE_BAD_CRC) {
		in->state.bad_crc |= end == INFLATE_BAD_CRC;
		in->in_member = false;
	} else if (end == INFLATE_DAMAGED || (starved && !have(in, s.in_n + 1))) {
		in->state.truncated = true;
		in->over = true;
	}
	return cap - s.out_n;
}

/* The next UNIT bytes; fewer only at the end. */
static size_t inflate_unit(struct input *in, unsigned char *out)
{
	size_t done = 0;

	while (done < UNIT && !in->over) {
		if (in->in_member)
			done += inflate_some(in, out + done, UNIT - done);
		else
			next_member(in);
	}
	return done;
}

static size_t read_gzip(struct input *in, unsigned char *out, size_t cap)
{
	size_t done = 0;

	while (done < cap) {
		if (in->unit_at == in->unit_n && in->over)
			break;
		if (in->unit_at == in->unit_n && cap - done >= UNIT) {
			done += inflate_unit(in, out + done);
			continue;
		}
		if (in->unit_at == in->unit_n) {
			in->unit_n = inflate_unit(in, in->unit);
			in->unit_at = 0;
		}
		size_t n = MIN_OF(cap - done, in->unit_n - in->unit_at);
		memcpy(out + done, in->unit + in->unit_at, n);
		in->unit_at += n;
		done += n;
	}
	return done;
}

/* What has been read to tell the format comes first; the rest goes straight to its place. */
static size_t read_plain(struct input *in, unsigned char *out, size_t cap)
{
	size_t done = MIN_OF(cap, in->n - in->at), got;

	memcpy(out, in->block + in->at, done);
	in->at += done;
	while (done < cap && !in->eof && (got = fetch(in, out + done, cap - done)))
		done += got;
	return done;
}

size_t input_read(struct input *in, void *buf, size_t cap)
{
	size_t n = (in->inflate ? read_gzip : read_plain)(in, buf, cap);

	in->state.size += n;
	return n;
}

static struct input *sniffed(struct input *in)
{
	if (at_member(in)) {
		in->state.gzip = true;
		in->inflate = inflate_new();
		in->unit = malloc(UNIT);
		if (!in->unit)
			arena_exhausted(UNIT);
		inflate_start(in->inflate);
		in->in_member = true;
	}
	return in;
}

static struct input *refused(int fd, struct lp_error *err, const char *path, const char *what,
			     const char *why)
{
	if (fd > 0)
		close(fd);
	error_set(err, "%s: %s%s", path, what, why);
	return NULL;
}

static struct input *open_fd(int fd, int copy, const struct stat *st)
{
	struct input *in = calloc(1, sizeof(*in));
	unsigned char *block = malloc(BLOCK + PADDING);
	if (!in || !block)
		arena_exhausted(BLOCK);
	in->fd = fd;
	in->copy = copy;
	in->block = block;
	in->state.packed_size = S_ISREG(st->st_mode) ? (uint64_t)st->st_size : 0;
	return sniffed(in);
}

/* A file without a name: it is gone when it is closed, however we end. */
static int temporary_file(void)
{
	const char *dir = getenv("TMPDIR");
	char path[4096];

	if (snprintf(path, sizeof(path), "%s/longpole-XXXXXX", dir && *dir ? dir : "/tmp") >=
	    (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	int fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

struct input *input_open_copied(const char *path, int *copy, struct lp_error *err)
{
	bool piped = !strcmp(path, "-");
	int fd = piped ? 0 : open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (copy)
		*copy = -1;
	if (fd < 0 || fstat(fd, &st))
		return refused(fd, err, path, "cannot open: ", strerror(errno));
	if (S_ISDIR(st.st_mode))
		return refused(fd, err, path, "", "a folder, not a trace");
	if (copy && piped && (*copy = temporary_file()) < 0)
		return refused(fd, err, path, "cannot make a temporary copy: ", strerror(errno));
	struct input *in = open_fd(fd, copy ? *copy : -1, &st);
	int why = in->state.read_error;
	if (!why)
		return in;
	input_close(in);
	return refused(0, err, path, "cannot read: ", strerror(why));
}

struct input *input_open(const char *path, struct lp_error *err)
{
	return input_open_copied(path, NULL, err);
}

struct input *input_open_copy(int copy, const char *path, struct lp_error *err)
{
	struct stat st;

	if (fstat(copy, &st) || lseek(copy, 0, SEEK_SET) < 0)
		return refused(0, err, path, "cannot read the temporary copy: ", strerror(errno));
	struct input *in = open_fd(copy, -1, &st);
	in->borrowed = true;
	return in;
}

struct input *input_memory(const void *bytes, size_t n)
{
	struct input *in = calloc(1, sizeof(*in));

	if (!in)
		arena_exhausted(sizeof(*in));
	in->fd = in->copy = -1;
	in->memory = in->eof = true;
	in->block = bytes;
	in->n = n;
	in->state.packed_size = in->state.packed_read = n;
	return sniffed(in);
}

struct input_state input_state(const struct input *in)
{
	struct input_state s = in->state;

	if (!s.packed_size)
		s.packed_size = s.packed_read;
	return s;
}

void input_close(struct input *in)
{
	if (!in)
		return;
	if (in->inflate)
		inflate_free(in->inflate);
	free(in->unit);
	if (!in->memory)
		free((void *)(uintptr_t)in->block);
	if (in->fd > 0 && !in->borrowed)
		close(in->fd);
	free(in);
}
