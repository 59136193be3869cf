/*
 * Both libraries are asked for the bare deflate stream after the header; header and
 * trailer are read here, so that a wrong checksum neither loses bytes nor stops us,
 * and both libraries agree about it.
 *
 *	1f 8b 08 flags mtime(4) xfl os [extra] [name\0] [comment\0] [crc16] deflate crc32(4) size(4)
 */
#include "base/inflate.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_ISAL
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#else
#include <zlib.h>
#endif

enum { FHCRC = 2, FEXTRA = 4, FNAME = 8, FCOMMENT = 16 };

enum part { FIXED, EXTRA_SIZE, EXTRA, NAME, COMMENT, HEADER_CRC, BODY, TRAILER };

struct inflate {
	enum part part;
	unsigned char field[10]; /* of a part of fixed size */
	unsigned fill;
	unsigned flags, extra;
	uint32_t crc, size;
#ifdef HAVE_ISAL
	struct inflate_state z;
#else
	z_stream z;
#endif
};

#ifdef HAVE_ISAL

const char *inflate_name(void)
{
	return "isa-l";
}

static void body_start(struct inflate *z)
{
	isal_inflate_init(&z->z);
	z->z.crc_flag = ISAL_DEFLATE;
}

static uint32_t checksum(uint32_t crc, const unsigned char *p, size_t n)
{
	return crc32_gzip_refl(crc, p, n);
}

static enum inflate_end body_run(struct inflate *z, struct inflate_step *s)
{
	z->z.next_in = (unsigned char *)(uintptr_t)s->in;
	z->z.avail_in = (uint32_t)MIN_OF(s->in_n, UINT32_MAX);
	z->z.next_out = s->out;
	z->z.avail_out = (uint32_t)MIN_OF(s->out_n, UINT32_MAX);
	int ret = isal_inflate(&z->z);

	s->in_n -= (size_t)(z->z.next_in - s->in);
	s->in = z->z.next_in;
	s->out_n -= (size_t)(z->z.next_out - s->out);
	s->out = z->z.next_out;
	if (ret != ISAL_DECOMP_OK && ret != ISAL_END_INPUT)
		return INFLATE_DAMAGED;
	if (z->z.block_state != ISAL_BLOCK_FINISH)
		return INFLATE_MORE;
	/* It reads ahead in words; what it did not need goes back. */
	size_t ahead = (size_t)(z->z.read_in_length / 8);
	s->in -= ahead;
	s->in_n += ahead;
	return INFLATE_MEMBER_END;
}

#else

const char *inflate_name(void)
{
	return "zlib";
}

static void body_start(struct inflate *z)
{
	inflateReset2(&z->z, -15);
}

static uint32_t checksum(uint32_t crc, const unsigned char *p, size_t n)
{
	return (uint32_t)crc32_z(crc, p, n);
}

static enum inflate_end body_run(struct inflate *z, struct inflate_step *s)
{
	z->z.next_in = (unsigned char *)(uintptr_t)s->in;
	z->z.avail_in = (unsigned)MIN_OF(s->in_n, UINT32_MAX);
	z->z.next_out = s->out;
	z->z.avail_out = (unsigned)MIN_OF(s->out_n, UINT32_MAX);
	int ret = inflate(&z->z, Z_NO_FLUSH);

	s->in_n -= (size_t)(z->z.next_in - s->in);
	s->in = z->z.next_in;
	s->out_n -= (size_t)(z->z.next_out - s->out);
	s->out = z->z.next_out;
	if (ret == Z_STREAM_END)
		return INFLATE_MEMBER_END;
	return ret == Z_OK || ret == Z_BUF_ERROR ? INFLATE_MORE : INFLATE_DAMAGED;
}

#endif

struct inflate *inflate_new(void)
{
	struct inflate *z = calloc(1, sizeof(*z));

	if (!z)
		arena_exhausted(sizeof(*z));
#ifndef HAVE_ISAL
	if (inflateInit2(&z->z, -15) != Z_OK)
		arena_exhausted(32768);
#endif
	return z;
}

void inflate_start(struct inflate *z)
{
	z->part = FIXED;
	z->fill = 0;
	z->crc = z->size = 0;
	body_start(z);
}

void inflate_free(struct inflate *z)
{
#ifndef HAVE_ISAL
	inflateEnd(&z->z);
#endif
	free(z);
}

/* Collects `size` bytes into field[]; true when they are there. */
static bool collect(struct inflate *z, struct inflate_step *s, unsigned size)
{
	while (z->fill < size && s->in_n) {
		z->field[z->fill++] = *s->in++;
		s->in_n--;
	}
	if (z->fill < size)
		return false;
	z->fill = 0;
	return true;
}

static bool skip(struct inflate_step *s, unsigned *n)
{
	size_t k = MIN_OF(*n, s->in_n);

	s->in += k;
	s->in_n -= k;
	*n -= (unsigned)k;
	return !*n;
}

static bool skip_text(struct inflate_step *s)
{
	const unsigned char *end = memchr(s->in, 0, s->in_n);
	size_t k = end ? (size_t)(end - s->in) + 1 : s->in_n;

	s->in += k;
	s->in_n -= k;
	return end;
}

static uint32_t le32(const unsigned char *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* One part of the header; false if the input ends in it. */
static bool header_part(struct inflate *z, struct inflate_step *s)
{
	switch (z->part) {
	case FIXED:
		if (!collect(z, s, 10))
			return false;
		z->flags = z->field[3];
		return true;
	case EXTRA_SIZE:
		if (!(z->flags & FEXTRA))
			return true;
		if (!collect(z, s, 2))
			return false;
		z->extra = z->field[0] | (unsigned)z->field[1] << 8;
		return true;
	case EXTRA:
		return !(z->flags & FEXTRA) || skip(s, &z->extra);
	case NAME:
		return !(z->flags & FNAME) || skip_text(s);
	case COMMENT:
		return !(z->flags & FCOMMENT) || skip_text(s);
	default:
		return !(z->flags & FHCRC) || collect(z, s, 2);
	}
}

static enum inflate_end run_body(struct inflate *z, struct inflate_step *s)
{
	unsigned char *out = s->out;
	enum inflate_end end = body_run(z, s);
	size_t n = (size_t)(s->out - out);

	z->crc = checksum(z->crc, out, n);
	z->size += (uint32_t)n;
	if (end == INFLATE_MEMBER_END) {
		z->part = TRAILER;
		end = INFLATE_MORE;
	}
	return end;
}

enum inflate_end inflate_run(struct inflate *z, struct inflate_step *s)
{
	while (z->part < BODY) {
		if (!header_part(z, s))
			return INFLATE_MORE;
		if (z->part == FIXED && z->field[2] != 8)
			return INFLATE_DAMAGED;
		z->part++;
	}
	if (z->part == BODY) {
		enum inflate_end end = run_body(z, s);

		if (end == INFLATE_DAMAGED || z->part == BODY)
			return end;
	}
	if (!collect(z, s, 8))
		return INFLATE_MORE;
	if (le32(z->field) != z->crc || le32(z->field + 4) != z->size)
		return INFLATE_BAD_CRC;
	return INFLATE_MEMBER_END;
}
