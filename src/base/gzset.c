/*
 *	writer ─► buffer of the file ─► queue of worker (file mod workers) ─► deflate ─► append
 *	   ▲                                                                    │
 *	   └───────────────────────── free buffers ◄────────────────────────────┘
 *
 * One worker serves a file from front to end, so its blocks keep their order without
 * further locks. The number of buffers is fixed: a writer that is ahead waits for one.
 */
#include "base/gzset.h"

#include "base/arena.h"
#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_ISAL
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#endif
#include <zlib.h>

#define BUFFER_MIN ((size_t)4 << 10)
#define BUFFER_MAX ((size_t)256 << 10)
#define SPARE      4 /* buffers per worker beyond one per file */

struct block {
	struct block *next;
	uint32_t file;
	size_t used;
	uint8_t *bytes;
};

struct file {
	struct block *filling;
	uint32_t crc, size;
	bool begun;
};

struct worker {
	struct gzset *set;
	pthread_t thread;
	struct block *first, **last; /* queue, guarded by set->lock */
	pthread_cond_t more;
	uint8_t *packed;
	size_t packed_cap;
#ifdef HAVE_ISAL
	uint8_t *level_buf;
#else
	z_stream stream;
#endif
};

struct gzset {
	struct arena arena;
	const char *const *path;
	char **part; /* names while unfinished */
	uint32_t n;
	struct file *file;
	size_t cap; /* of a buffer */
	unsigned nworkers;
	struct worker *worker;
	pthread_mutex_t lock;
	pthread_cond_t freed;
	struct block *free;
	bool closing;
	int error; /* errno of the first failure; guarded by lock */
	uint32_t failed;
};

static void fail(struct gzset *g, uint32_t file, int error)
{
	pthread_mutex_lock(&g->lock);
	if (!g->error) {
		g->error = error;
		g->failed = file;
	}
	pthread_mutex_unlock(&g->lock);
}

static bool write_all(int fd, const uint8_t *p, size_t n)
{
	while (n) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
	}
	return true;
}

/* Appends to the file of a slice, which begins with a gzip header. */
static void append(struct gzset *g, uint32_t file, const uint8_t *p, size_t n)
{
	static const uint8_t header[10] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff };
	bool begun = g->file[file].begun;
	int fd = open(g->part[file], O_WRONLY | O_CLOEXEC | (begun ? O_APPEND : O_CREAT | O_TRUNC),
		      0666);

	g->file[file].begun = true;
	if (fd < 0) {
		fail(g, file, errno);
		return;
	}
	bool ok = (begun || write_all(fd, header, sizeof(header))) && write_all(fd, p, n);
	int why = errno;
	if (close(fd) != 0 && ok) {
		ok = false;
		why = errno;
	}
	if (!ok)
		fail(g, file, why ? why : EIO);
}

#ifdef HAVE_ISAL

static void deflate_open(struct worker *w)
{
	w->level_buf = NEW(&w->set->arena, ISAL_DEF_LVL1_DEFAULT, uint8_t);
}

static size_t deflate_alone(struct worker *w, const struct block *b)
{
	struct isal_zstream s;

	isal_deflate_stateless_init(&s);
	s.level = 1;
	s.level_buf = w->level_buf;
	s.level_buf_size = ISAL_DEF_LVL1_DEFAULT;
	s.flush = FULL_FLUSH;
	s.next_in = b->bytes;
	s.avail_in = (uint32_t)b->used;
	s.next_out = w->packed;
	s.avail_out = (uint32_t)w->packed_cap;
	return isal_deflate_stateless(&s) == COMP_OK ? s.total_out : 0;
}

static uint32_t crc_of(uint32_t crc, const struct block *b)
{
	return crc32_gzip_refl(crc, b->bytes, b->used);
}

static void deflate_close(struct worker *w)
{
	(void)w;
}

#else

static void deflate_open(struct worker *w)
{
	if (deflateInit2(&w->stream, 1, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
}

static size_t deflate_alone(struct worker *w, const struct block *b)
{
	deflateReset(&w->stream);
	w->stream.next_in = b->bytes;
	w->stream.avail_in = (uInt)b->used;
	w->stream.next_out = w->packed;
	w->stream.avail_out = (uInt)w->packed_cap;
	bool ok = deflate(&w->stream, Z_FULL_FLUSH) == Z_OK && !w->stream.avail_in;
	return ok ? w->packed_cap - w->stream.avail_out : 0;
}

static uint32_t crc_of(uint32_t crc, const struct block *b)
{
	return (uint32_t)crc32(crc, b->bytes, (uInt)b->used);
}

static void deflate_close(struct worker *w)
{
	deflateEnd(&w->stream);
}

#endif

static void pack(struct worker *w, const struct block *b)
{
	struct file *f = &w->set->file[b->file];
	size_t n = deflate_alone(w, b);

	f->crc = crc_of(f->crc, b);
	f->size += (uint32_t)b->used;
	if (n)
		append(w->set, b->file, w->packed, n);
	else
		fail(w->set, b->file, EIO);
}

/* The next block of the queue; NULL when there will be no more. */
static struct block *take(struct worker *w)
{
	struct gzset *g = w->set;

	pthread_mutex_lock(&g->lock);
	while (!w->first && !g->closing)
		pthread_cond_wait(&w->more, &g->lock);
	struct block *b = w->first;
	if (b) {
		w->first = b->next;
		if (!w->first)
			w->last = &w->first;
	}
	pthread_mutex_unlock(&g->lock);
	return b;
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct block *b;

	while ((b = take(w))) {
		pack(w, b);
		pthread_mutex_lock(&w->set->lock);
		b->next = w->set->free;
		w->set->free = b;
		pthread_cond_signal(&w->set->freed);
		pthread_mutex_unlock(&w->set->lock);
	}
	return NULL;
}

static void start_worker(struct gzset *g, unsigned i)
{
	struct worker *w = &g->worker[i];

	w->set = g;
	w->last = &w->first;
	w->packed_cap = g->cap + g->cap / 8 + 1024;
	w->packed = NEW(&g->arena, w->packed_cap, uint8_t);
	deflate_open(w);
	pthread_cond_init(&w->more, NULL);
	if (pthread_create(&w->thread, NULL, work, w) != 0)
		abort();
}

struct gzset *gzset_open(const char *const *path, uint32_t n, size_t budget, unsigned threads)
{
	struct gzset *g = alloc_checked(calloc(1, sizeof(*g)));
	g->path = path;
	g->n = n;
	g->part = NEW(&g->arena, n, char *);
	g->file = NEW(&g->arena, n, struct file);
	for (uint32_t i = 0; i < n; i++)
		g->part[i] = arena_print(&g->arena, "%s.part", path[i]);
	g->nworkers = MAX_OF(1u, MIN_OF(threads, n ? n : 1));
	size_t nblocks = (size_t)n + SPARE * g->nworkers;
	g->cap = MAX_OF(BUFFER_MIN, MIN_OF(BUFFER_MAX, budget / nblocks));
	for (size_t i = 0; i < nblocks; i++) {
		struct block *b = NEW(&g->arena, 1, struct block);

		b->bytes = NEW(&g->arena, g->cap, uint8_t);
		b->next = g->free;
		g->free = b;
	}
	pthread_mutex_init(&g->lock, NULL);
	pthread_cond_init(&g->freed, NULL);
	g->worker = NEW(&g->arena, g->nworkers, struct worker);
	for (unsigned i = 0; i < g->nworkers; i++)
		start_worker(g, i);
	return g;
}

static struct block *empty_block(struct gzset *g, uint32_t file)
{
	pthread_mutex_lock(&g->lock);
	while (!g->free)
		pthread_cond_wait(&g->freed, &g->lock);
	struct block *b = g->free;
	g->free = b->next;
	pthread_mutex_unlock(&g->lock);
	*b = (struct block){ .file = file, .bytes = b->bytes };
	return b;
}

static void queue(struct gzset *g, struct block *b)
{
	struct worker *w = &g->worker[b->file % g->nworkers];

	pthread_mutex_lock(&g->lock);
	b->next = NULL;
	*w->last = b;
	w->last = &b->next;
	pthread_cond_signal(&w->more);
	pthread_mutex_unlock(&g->lock);
}

void gzset_write(struct gzset *g, uint32_t file, const void *bytes, size_t n)
{
	const uint8_t *p = bytes;
	struct file *f = &g->file[file];

	while (n) {
		if (!f->filling)
			f->filling = empty_block(g, file);
		struct block *b = f->filling;
		size_t take = MIN_OF(n, g->cap - b->used);

		memcpy(b->bytes + b->used, p, take);
		b->used += take;
		p += take;
		n -= take;
		if (b->used == g->cap) {
			f->filling = NULL;
			queue(g, b);
		}
	}
}

/* An empty last block, then checksum and size: the end of a gzip member. */
static void finish(struct gzset *g, uint32_t file)
{
	struct file *f = &g->file[file];
	uint8_t tail[10] = { 3, 0 };

	for (int i = 0; i < 4; i++) {
		tail[2 + i] = (uint8_t)(f->crc >> 8 * i);
		tail[6 + i] = (uint8_t)(f->size >> 8 * i);
	}
	append(g, file, tail, sizeof(tail));
}

static void stop_workers(struct gzset *g)
{
	for (uint32_t i = 0; i < g->n; i++)
		if (g->file[i].filling)
			queue(g, g->file[i].filling);
	pthread_mutex_lock(&g->lock);
	g->closing = true;
	for (unsigned i = 0; i < g->nworkers; i++)
		pthread_cond_signal(&g->worker[i].more);
	pthread_mutex_unlock(&g->lock);
	for (unsigned i = 0; i < g->nworkers; i++) {
		pthread_join(g->worker[i].thread, NULL);
		pthread_cond_destroy(&g->worker[i].more);
		deflate_close(&g->worker[i]);
	}
	pthread_cond_destroy(&g->freed);
	pthread_mutex_destroy(&g->lock);
	pthread_mutex_init(&g->lock, NULL); /* for what finish() may still report */
}

bool gzset_close(struct gzset *g, bool keep, struct lp_error *err)
{
	stop_workers(g);
	for (uint32_t i = 0; i < g->n && keep && !g->error; i++) {
		finish(g, i);
		if (!g->error && rename(g->part[i], g->path[i]) != 0)
			fail(g, i, errno);
	}
	if (!keep || g->error)
		for (uint32_t i = 0; i < g->n; i++)
			unlink(g->part[i]);
	bool ok = !g->error ||
		  error_set(err, "%s: cannot write: %s", g->path[g->failed], strerror(g->error));
	pthread_mutex_destroy(&g->lock);
	struct arena arena = g->arena;
	free(g);
	arena_free(&arena);
	return ok;
}
