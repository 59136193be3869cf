/*
 * Bytes gather in a block of `in`, which is deflated into `packed` when full:
 *
 *	gzout_write ─► in ─► deflate ─► packed ─► out
 *
 * The block spares the deflater small pieces and the file small writes. Fast is ISA-L's
 * first level where it is built in: ten times as fast as zlib's. Its higher levels hardly
 * gain on traces, so small is zlib's.
 */
#include "base/gzout.h"
#include "base/arena.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#ifdef HAVE_ISAL
#include <isa-l/igzip_lib.h>
#endif

#define BLOCK ((size_t)256 << 10)

struct gzout {
	struct arena arena;
	FILE *out;
	const char *name;
	int error;   /* errno of the first failed write; 0: none */
	size_t used; /* of in */
	uint8_t *in, *packed;
	void (*block)(struct gzout *g, bool last); /* deflates and writes what `in` has */
	z_stream zlib;
#ifdef HAVE_ISAL
	struct isal_zstream isal;
#endif
};

static void put(struct gzout *g, const void *bytes, size_t n)
{
	if (!g->error && n && fwrite(bytes, 1, n, g->out) != n)
		g->error = errno ? errno : EIO;
}

static void plain_block(struct gzout *g, bool last)
{
	(void)last;
	put(g, g->in, g->used);
}

static void zlib_block(struct gzout *g, bool last)
{
	g->zlib.next_in = g->in;
	g->zlib.avail_in = (uInt)g->used;
	do {
		g->zlib.next_out = g->packed;
		g->zlib.avail_out = BLOCK;
		deflate(&g->zlib, last ? Z_FINISH : Z_NO_FLUSH);
		put(g, g->packed, BLOCK - g->zlib.avail_out);
	} while (!g->zlib.avail_out);
	if (last)
		deflateEnd(&g->zlib);
}

static void zlib_start(struct gzout *g, int level)
{
	g->block = zlib_block;
	if (deflateInit2(&g->zlib, level, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
}

#ifdef HAVE_ISAL

static void isal_block(struct gzout *g, bool last)
{
	g->isal.next_in = g->in;
	g->isal.avail_in = (uint32_t)g->used;
	g->isal.end_of_stream = last;
	do {
		g->isal.next_out = g->packed;
		g->isal.avail_out = BLOCK;
		isal_deflate(&g->isal);
		put(g, g->packed, BLOCK - g->isal.avail_out);
	} while (!g->isal.avail_out);
}

static void fast_start(struct gzout *g)
{
	g->block = isal_block;
	isal_deflate_init(&g->isal);
	g->isal.level = 1;
	g->isal.level_buf = NEW(&g->arena, ISAL_DEF_LVL1_DEFAULT, uint8_t);
	g->isal.level_buf_size = ISAL_DEF_LVL1_DEFAULT;
	g->isal.gzip_flag = IGZIP_GZIP;
}

#else

static void fast_start(struct gzout *g)
{
	zlib_start(g, 1);
}

#endif

static void flush(struct gzout *g, bool last)
{
	g->block(g, last);
	g->used = 0;
}

struct gzout *gzout_open(FILE *out, const char *name, enum gzout_level level)
{
	struct arena arena = { 0 };
	struct gzout *g = NEW(&arena, 1, struct gzout);

	g->out = out;
	g->name = name;
	g->in = NEW(&arena, BLOCK, uint8_t);
	g->packed = NEW(&arena, BLOCK, uint8_t);
	g->arena = arena;
	switch (level) {
	case GZOUT_PLAIN:
		g->block = plain_block;
		break;
	case GZOUT_FAST:
		fast_start(g);
		break;
	case GZOUT_STEADY:
		zlib_start(g, 1);
		break;
	case GZOUT_SMALL:
		zlib_start(g, 6);
		break;
	}
	return g;
}

void gzout_write(struct gzout *g, const void *bytes, size_t n)
{
	const uint8_t *p = bytes;

	while (n) {
		size_t take = MIN_OF(n, BLOCK - g->used);

		memcpy(g->in + g->used, p, take);
		g->used += take;
		p += take;
		n -= take;
		if (g->used == BLOCK)
			flush(g, false);
	}
}

bool gzout_close(struct gzout *g, struct lp_error *err)
{
	flush(g, true);
	if (!g->error && fflush(g->out) != 0)
		g->error = errno;

	struct arena arena = g->arena;
	bool ok = !g->error || error_set(err, "%s: cannot write: %s", g->name, strerror(g->error));

	arena_free(&arena);
	return ok;
}
