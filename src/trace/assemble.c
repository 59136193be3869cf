#include "trace/assemble.h"

#include "trace/read_fast.h"

#define REST_MAX ((size_t)1 << 30)

void assemble_begin(struct assemble *a, struct trace *tr)
{
	commit_begin(&a->commit, tr);
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->turn, NULL);
	pthread_rwlock_init(&a->grow, NULL);
}

void assemble_end(struct assemble *a)
{
	commit_end(&a->commit);
	column_free(&a->rest);
	pthread_mutex_destroy(&a->lock);
	pthread_cond_destroy(&a->turn);
	pthread_rwlock_destroy(&a->grow);
}

/* ---- rows ---- */

/* Gives the rows of the batch their place in the trace. */
static bool reserve(struct assemble *a, struct worker *w, uint64_t origin, struct commit_place *at)
{
	commit_name(&a->commit, &w->batch);
	if (a->strict && counters_first(&a->commit.tr->counters, SEVERITY_WARNING) != COUNTERS)
		a->stop = true;
	if (!commit_fits(&a->commit, &w->batch)) {
		a->stop = !error_at(a->doc.err, a->doc.name, origin, "more than 4294967294 events");
		a->doc.where = DOCUMENT_FAILED;
		return false;
	}
	if (!commit_has_room(&a->commit, &w->batch)) {
		pthread_rwlock_wrlock(&a->grow);
		commit_grow(&a->commit, &w->batch);
		pthread_rwlock_unlock(&a->grow);
	}
	*at = commit_reserve(&a->commit, &w->batch, origin);
	return true;
}

static void copy(struct assemble *a, struct worker *w, uint64_t origin, struct commit_place at)
{
	pthread_rwlock_rdlock(&a->grow);
	commit_copy(&a->commit, &w->batch, origin, at);
	pthread_rwlock_unlock(&a->grow);
	batch_clear(&w->batch);
}

static void add_rows(struct assemble *a, struct worker *w, uint64_t origin)
{
	struct commit_place at;

	if (reserve(a, w, origin, &at))
		copy(a, w, origin, at);
	batch_clear(&w->batch);
}

/* ---- text in order ---- */

static void append(struct assemble *a, const char *p, size_t n, uint64_t origin)
{
	if (!a->nrest)
		a->rest_origin = origin;
	column_reserve(&a->rest, a->nrest + n + PADDING);
	memcpy((char *)a->rest.at + a->nrest, p, n);
	a->nrest += n;
	memset((char *)a->rest.at + a->nrest, 0, PADDING);
}

static void drop_front(struct assemble *a, size_t n)
{
	char *p = a->rest.at;

	a->nrest -= n;
	memmove(p, p + n, a->nrest);
	memset(p + a->nrest, 0, PADDING);
	a->rest_origin += n;
}

/* Reads the text that has come together, as far as it is whole. */
static void read_rest(struct assemble *a, struct worker *w, bool last)
{
	struct text t = { a->rest.at, (char *)a->rest.at + a->nrest, a->rest_origin, last };

	if (a->nrest < a->need && !last)
		return;
	a->doc.fast = w->fast;
	size_t used = document_read(&a->doc, &w->batch, &t);

	add_rows(a, w, a->rest_origin);
	drop_front(a, used);
	/* To look again at every chunk would take time quadratic in the size of one event. */
	a->need = 2 * a->nrest;
	if (a->doc.where == DOCUMENT_FAILED)
		a->stop = true;
	if (a->nrest > REST_MAX && !a->stop) {
		error_at(a->doc.err, a->doc.name, a->rest_origin,
			 "an event or a value longer than 1 GiB begins here");
		a->doc.where = DOCUMENT_FAILED;
		a->stop = true;
	}
}

/* ---- chunks ---- */

/* Forgets what the chunk was read as. */
static void forget(struct batch *b)
{
	struct batch_mark none = { .strings = b->strings.done,
				   .keys = b->keys.done,
				   .cats = b->cats.done,
				   .lanes = b->lanes.done };

	batch_rewind(b, &none);
}

/* In its turn: what stands of the chunk, of which `used` bytes were read as `guess`. */
static void add_chunk(struct assemble *a, struct worker *w, const struct document *guess,
		      size_t used)
{
	const struct chunk *c = &w->chunk;
	bool stands = c->at_event && a->doc.where == DOCUMENT_LIST && !a->nrest;

	if (!stands) {
		forget(&w->batch);
		used = 0;
	}
	if (used) {
		document_join(&a->doc, guess, &w->batch, c->origin);
		add_rows(a, w, c->origin);
	}
	append(a, (char *)c->memory.at + used, c->n - used, c->origin + used);
	if (c->last)
		a->doc.cut_input = c->cut_input;
	if (!a->stop && (a->nrest || c->last))
		read_rest(a, w, c->last);
}

/* The common case: the whole chunk stands, and its rows are copied after its turn. */
static bool stands_whole(const struct assemble *a, const struct chunk *c, size_t used)
{
	return c->at_event && used == c->n && used && !c->last && a->doc.where == DOCUMENT_LIST &&
	       !a->nrest;
}

static void wait_for_turn(struct assemble *a, uint64_t number)
{
	pthread_mutex_lock(&a->lock);
	while (a->next != number)
		pthread_cond_wait(&a->turn, &a->lock);
}

static void end_turn(struct assemble *a)
{
	a->next++;
	pthread_cond_broadcast(&a->turn);
	pthread_mutex_unlock(&a->lock);
}

bool assemble_chunk(struct assemble *a, struct worker *w, const struct feed *f)
{
	const struct chunk *c = &w->chunk;
	const char *p = c->memory.at;
	struct text t = { p, p + c->n, c->origin, false };
	struct document guess = document_at_event(f->list_root, w->fast);
	size_t used = c->at_event ? document_read(&guess, &w->batch, &t) : 0;

	wait_for_turn(a, c->number);
	bool whole = !a->stop && stands_whole(a, c, used);
	struct commit_place at;
	if (whole) {
		document_join(&a->doc, &guess, &w->batch, c->origin);
		whole = reserve(a, w, c->origin, &at);
	} else if (!a->stop) {
		add_chunk(a, w, &guess, used);
	}
	bool more = !a->stop;
	end_turn(a);
	if (whole)
		copy(a, w, c->origin, at);
	batch_clear(&w->batch);
	batch_relieve(&w->batch);
	return more;
}
