/*
 * Bytes gather in a block of `in`, which is deflated into `packed` when full:
 *
 *	gzout_write ─► in ─► deflate ─► packed ─► out
 *
 * The block spares the deflater small pieces and the file small writes. deflate is
 * ISA-L's where it is built in, else zlib's; both are asked for a gzip member.
 */
#include "base/gzout.h"
#include "base/arena.h"

#include <errno.h>
#include <string.h>

#ifdef HAVE_ISAL
#include <isa-l/igzip_lib.h>
#else
#include <zlib.h>
#endif

#define BLOCK ((size_t)256 << 10)

struct gzout {
	struct arena arena;
	FILE *out;
	const char *name;
	enum gzout_level level;
	int error;   /* errno of the first failed write; 0: none */
	size_t used; /* of in */
	uint8_t *in, *packed;
#ifdef HAVE_ISAL
	struct isal_zstream stream;
#else
	z_stream stream;
#endif
};

static void put(struct gzout *g, const void *bytes, size_t n)
{
	if (!g->error && n && fwrite(bytes, 1, n, g->out) != n)
		g->error = errno ? errno : EIO;
}

#ifdef HAVE_ISAL

static void deflate_start(struct gzout *g)
{
	uint32_t level = g->level == GZOUT_SMALL ? 3 : 1;
	uint32_t size = level == 3 ? ISAL_DEF_LVL3_DEFAULT : ISAL_DEF_LVL1_DEFAULT;

	isal_deflate_init(&g->stream);
	g->stream.level = level;
	g->stream.level_buf = NEW(&g->arena, size, uint8_t);
	g->stream.level_buf_size = size;
	g->stream.gzip_flag = IGZIP_GZIP;
}

static void deflate_block(struct gzout *g, bool last)
{
	g->stream.next_in = g->in;
	g->stream.avail_in = (uint32_t)g->used;
	g->stream.end_of_stream = last;
	do {
		g->stream.next_out = g->packed;
		g->stream.avail_out = BLOCK;
		isal_deflate(&g->stream);
		put(g, g->packed, BLOCK - g->stream.avail_out);
	} while (!g->stream.avail_out);
}

static void deflate_stop(struct gzout *g)
{
	(void)g;
}

#else

static void deflate_start(struct gzout *g)
{
	int level = g->level == GZOUT_SMALL ? 6 : 1;

	if (deflateInit2(&g->stream, level, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK)
		g->error = ENOMEM;
}

static void deflate_block(struct gzout *g, bool last)
{
	if (g->error)
		return;
	g->stream.next_in = g->in;
	g->stream.avail_in = (uInt)g->used;
	do {
		g->stream.next_out = g->packed;
		g->stream.avail_out = BLOCK;
		deflate(&g->stream, last ? Z_FINISH : Z_NO_FLUSH);
		put(g, g->packed, BLOCK - g->stream.avail_out);
	} while (!g->stream.avail_out);
}

static void deflate_stop(struct gzout *g)
{
	deflateEnd(&g->stream);
}

#endif

static void flush(struct gzout *g, bool last)
{
	if (g->level == GZOUT_PLAIN)
		put(g, g->in, g->used);
	else
		deflate_block(g, last);
	g->used = 0;
}

struct gzout *gzout_open(FILE *out, const char *name, enum gzout_level level)
{
	struct arena arena = { 0 };
	struct gzout *g = NEW(&arena, 1, struct gzout);

	g->out = out;
	g->name = name;
	g->level = level;
	g->in = NEW(&arena, BLOCK, uint8_t);
	g->packed = NEW(&arena, BLOCK, uint8_t);
	g->arena = arena;
	if (level != GZOUT_PLAIN)
		deflate_start(g);
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
	if (g->level != GZOUT_PLAIN)
		deflate_stop(g);
	if (!g->error && fflush(g->out) != 0)
		g->error = errno;

	struct arena arena = g->arena;
	bool ok = !g->error || error_set(err, "%s: cannot write: %s", g->name, strerror(g->error));

	arena_free(&arena);
	return ok;
}
