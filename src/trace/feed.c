#include "trace/feed.h"

#include "base/jsontext.h"
#include "trace/read_event.h"

#define CHUNK ((size_t)256 << 10)

void feed_begin(struct feed *f, struct input *in, const struct read_options *o)
{
	*f = (struct feed){ .in = in, .o = o, .size = o->chunk ? o->chunk : CHUNK };
	pthread_mutex_init(&f->lock, NULL);
}

void feed_end(struct feed *f)
{
	column_free(&f->carry);
	pthread_mutex_destroy(&f->lock);
}

void feed_stop(struct feed *f)
{
	pthread_mutex_lock(&f->lock);
	f->ended = true;
	pthread_mutex_unlock(&f->lock);
}

static bool begins_with_bracket(const char *p, const char *end)
{
	if (end - p >= 3 && !memcmp(p, "\xef\xbb\xbf", 3))
		p += 3;
	p = json_skip_blanks(p, end);
	return p < end && *p == '[';
}

/* Does the brace at p begin an event: behind `},` or `[`, with a field as its first key? */
static bool begins_event(const char *start, const char *p, const char *end)
{
	const char *q = p;

	while (q > start && json_blank(q[-1]))
		q--;
	if (q == start || q[-1] != ',')
		return false;
	for (q--; q > start && json_blank(q[-1]);)
		q--;
	if (q == start || q[-1] != '}')
		return false;
	p = json_skip_blanks(p + 1, end);
	if (p == end || *p != '"')
		return false;
	const char *close = memchr(p + 1, '"', MIN_OF((size_t)(end - p - 1), 16));
	return close && read_is_field((struct str){ p + 1, (size_t)(close - p - 1) });
}

/* The last place in the text where an event seems to begin; 0 if there is none. */
static size_t find_cut(const char *text, size_t n)
{
	const char *p = text + n;

	while ((p = memrchr(text, '{', (size_t)(p - text))) && p > text)
		if (begins_event(text, p, text + n))
			return (size_t)(p - text);
	return 0;
}

static void fill(struct feed *f, struct chunk *c)
{
	column_reserve(&c->memory, f->ncarry + f->size + PADDING);
	char *text = c->memory.at;

	if (f->ncarry)
		memcpy(text, f->carry.at, f->ncarry);
	size_t got = input_read(f->in, text + f->ncarry, f->size);
	c->n = f->ncarry + got;
	c->last = got < f->size;
	f->ended = c->last;
	c->cut_input = input_state(f->in).truncated;
	f->ncarry = 0;
	memset(text + c->n, 0, PADDING);
}

static void cut(struct feed *f, struct chunk *c)
{
	const char *text = c->memory.at;
	size_t at = find_cut(text, c->n);

	f->at_event = at > 0;
	if (!at)
		return;
	f->ncarry = c->n - at;
	column_reserve(&f->carry, f->ncarry);
	memcpy(f->carry.at, text + at, f->ncarry);
	c->n = at;
}

static void take(struct feed *f, struct chunk *c)
{
	fill(f, c);
	c->origin = f->origin;
	c->number = f->number++;
	c->at_event = f->at_event;
	if (!c->number)
		f->list_root = begins_with_bracket(c->memory.at, (char *)c->memory.at + c->n);
	if (!c->last)
		cut(f, c);
	f->origin += c->n;
	if (f->o->progress) {
		struct input_state s = input_state(f->in);

		f->o->progress(f->o->ctx, s.packed_read, s.packed_size);
	}
}

bool feed_next(struct feed *f, struct chunk *c)
{
	pthread_mutex_lock(&f->lock);
	bool more = !f->ended;
	if (more)
		take(f, c);
	pthread_mutex_unlock(&f->lock);
	return more;
}
