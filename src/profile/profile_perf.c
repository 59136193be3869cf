/*
 * A head is found by its time: the first word that is a number with a colon after a word
 * that is a thread or a [cpu]; before it stands the command, which may have blanks.
 * Samples of threads are mixed; they are gathered and dealt out at the end, and functions are
 * numbered then, so that each thread's come together, callers first.
 */
#include "profile/profile_perf.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/alloc.h"

#include <stdlib.h>

struct head {
	struct str comm, pid, tid, event, rest;
	nsec time;
	int64_t period;
};

struct perf_sample {
	uint32_t thread;
	stack_id stack;
	nsec time;
	int64_t period;
};

struct perf_thread {
	string_id comm, pid, tid;
	uint32_t n;
};

struct perf {
	struct profile *p;
	const char *event;   /* only this one; NULL: all */
	struct strings keys; /* "pid/tid": its row is the thread's */
	struct strings events;
	struct perf_thread *threads;
	size_t threads_cap;
	struct perf_sample *samples;
	size_t n, cap;
	struct functions functions; /* in the order of the file */
	struct stacks stacks;
	stack_id *ours;  /* of each stack above: the profile's, or NONE */
	func_id *frames; /* of the sample at hand, leaf first */
	size_t nframes, frames_cap;
	bool open; /* a sample is at hand */
	bool firefox;
};

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The next word of `s`, taken off it. */
static struct str word(struct str *s)
{
	size_t n = 0;

	while (s->n && blank(*s->p))
		s->p++, s->n--;
	while (n < s->n && !blank(s->p[n]))
		n++;
	struct str w = { s->p, n };

	s->p += n;
	s->n -= n;
	return w;
}

static bool all_digits(struct str s, char also)
{
	size_t digits = 0;

	for (size_t i = 0; i < s.n; i++) {
		if (!digit(s.p[i]) && s.p[i] != also)
			return false;
		digits += digit(s.p[i]);
	}
	return digits > 0;
}

static bool is_time(struct str w)
{
	return w.n > 1 && w.p[w.n - 1] == ':' && all_digits((struct str){ w.p, w.n - 1 }, '.');
}

static bool is_cpu(struct str w)
{
	return w.n > 2 && w.p[0] == '[' && w.p[w.n - 1] == ']';
}

static void set_thread(struct head *h, struct str w)
{
	const char *slash = memchr(w.p, '/', w.n);

	h->pid = slash ? (struct str){ w.p, (size_t)(slash - w.p) } : STR("");
	h->tid = slash ? (struct str){ slash + 1, w.n - h->pid.n - 1 } : w;
}

/* period event: rest */
static void after_time(struct head *h, struct str s)
{
	struct str w = word(&s);
	struct scaled d;

	h->period = 1;
	if (all_digits(w, 0) && scaled_parse(w, &d)) {
		scaled_round(d, 0, &h->period);
		w = word(&s);
	}
	if (w.n && w.p[w.n - 1] == ':')
		w.n--;
	h->event = w;
	h->rest = s;
}

static bool parse_head(struct str line, struct head *h)
{
	struct str s = line, before = { 0 }, before2 = { 0 }, w;
	struct scaled d;

	if (!line.n || line.p[0] == '#')
		return false;
	while ((w = word(&s)).n) {
		struct str thread = is_cpu(before) ? before2 : before;

		if (is_time(w) && thread.n && all_digits(thread, '/') && thread.p != line.p) {
			*h = (struct head){ .comm = { line.p, (size_t)(thread.p - line.p) } };
			while (h->comm.n && blank(*h->comm.p))
				h->comm.p++, h->comm.n--;
			while (h->comm.n && blank(h->comm.p[h->comm.n - 1]))
				h->comm.n--;
			set_thread(h, thread);
			if (!scaled_parse((struct str){ w.p, w.n - 1 }, &d) ||
			    !scaled_round(d, 9, &h->time))
				h->time = NSEC_NONE;
			after_time(h, s);
			return h->comm.n > 0;
		}
		before2 = before;
		before = w;
	}
	return false;
}

bool perf_looks(struct str head)
{
	struct head h;

	for (int i = 0; head.n && i < 500; i++) {
		const char *lf = memchr(head.p, '\n', head.n);
		size_t n = lf ? (size_t)(lf - head.p) : head.n;
		struct str line = { head.p, n }, s = line;

		head.p += MIN_OF(n + 1, head.n);
		head.n -= MIN_OF(n + 1, head.n);
		if (word(&s).n && line.p[0] != '#')
			return parse_head(line, &h) && h.event.n;
	}
	return false;
}

/* ---- Frames ---- */

static bool is_hex(struct str w)
{
	for (size_t i = 0; i < w.n; i++)
		if (!digit(w.p[i]) && ((w.p[i] | 0x20) < 'a' || (w.p[i] | 0x20) > 'f'))
			return false;
	return w.n > 0;
}

/* Takes " (object)" off the end. */
static struct str object_of(struct str *s)
{
	int depth = 0;

	if (!s->n || s->p[s->n - 1] != ')')
		return STR("");
	for (size_t i = s->n; i-- > 0;) {
		depth += s->p[i] == ')' ? 1 : s->p[i] == '(' ? -1 : 0;
		if (!depth && (!i || blank(s->p[i - 1]))) {
			struct str object = { s->p + i + 1, s->n - i - 2 };

			s->n = i;
			return object;
		}
		if (!depth)
			break;
	}
	return STR("");
}

static struct str without_offset(struct str s)
{
	const char *plus = memrchr(s.p, '+', s.n);

	if (plus && s.p + s.n - plus > 3 && plus[1] == '0' && plus[2] == 'x' &&
	    is_hex((struct str){ plus + 3, s.n - (size_t)(plus + 3 - s.p) }))
		s.n = (size_t)(plus - s.p);
	return s;
}

static struct str trimmed(struct str s)
{
	while (s.n && blank(s.p[s.n - 1]))
		s.n--;
	while (s.n && blank(*s.p))
		s.p++, s.n--;
	return s;
}

static string_id intern(struct perf *f, struct str s)
{
	return strings_add(&f->p->strings, s.p, s.n);
}

/*
 * "address symbol+0xoffset (object)"; false if it is none. Firefox Profiler takes a symbol in
 * parentheses for the name of a process, and leaves it out; a thunk is what it leads to.
 */
static bool add_frame(struct perf *f, struct str line)
{
	static const struct str thunk = { "non-virtual thunk to ", 21 };
	struct str s = trimmed(line), address = word(&s), object;

	if (!is_hex(address))
		return false;
	s = trimmed(s);
	object = object_of(&s);
	s = without_offset(trimmed(s));
	if (!s.n)
		s = address;
	if (f->firefox && s.p[0] == '(')
		return true;
	if (f->firefox && str_starts(s, thunk))
		s = (struct str){ s.p + thunk.n, s.n - thunk.n };
	if (f->nframes == f->frames_cap)
		f->frames = alloc_grown(f->frames, &f->frames_cap, sizeof(*f->frames));
	f->frames[f->nframes++] = functions_add(&f->functions, intern(f, s),
						object.n ? intern(f, object) : NONE, 0);
	return true;
}

/* ---- Samples ---- */

static uint32_t thread_of(struct perf *f, const struct head *h)
{
	char key[64];
	int n = snprintf(key, sizeof(key), "%.*s/%.*s", (int)MIN_OF(h->pid.n, 24), h->pid.p,
			 (int)MIN_OF(h->tid.n, 24), h->tid.p);
	uint32_t before = f->keys.n, t = strings_add(&f->keys, key, (size_t)n);

	if (t == before) {
		if (t >= f->threads_cap)
			f->threads = alloc_grown(f->threads, &f->threads_cap, sizeof(*f->threads));
		f->threads[t] = (struct perf_thread){ .pid = intern(f, h->pid),
						      .tid = intern(f, h->tid) };
	}
	f->threads[t].comm = intern(f, h->comm);
	return t;
}

/* The stack of the sample at hand is whole. */
static void close_sample(struct perf *f)
{
	stack_id top = NONE;

	if (!f->open)
		return;
	while (f->nframes)
		top = stacks_add(&f->stacks, top, f->frames[--f->nframes]);
	f->samples[f->n - 1].stack = top;
	f->open = false;
}

static void open_sample(struct perf *f, const struct head *h)
{
	close_sample(f);
	const char *mods = memchr(h->event.p, ':', h->event.n);
	size_t n = mods ? (size_t)(mods - h->event.p) : h->event.n;

	strings_add(&f->events, h->event.p, n);
	if (f->event && !str_eq(h->event, str_of(f->event)) &&
	    !str_eq((struct str){ h->event.p, n }, str_of(f->event)))
		return;
	if (f->n == f->cap)
		f->samples = alloc_grown(f->samples, &f->cap, sizeof(*f->samples));
	uint32_t t = thread_of(f, h);

	f->threads[t].n++;
	f->samples[f->n++] = (struct perf_sample){ t, NONE, h->time, h->period };
	f->nframes = 0;
	f->open = true;
	if (trimmed(h->rest).n)
		add_frame(f, h->rest);
}

static void read_lines(struct perf *f, struct scroll *w)
{
	struct str line;
	struct head h;

	for (uint64_t n = 1; scroll_line(w, &line); n++) {
		if (!trimmed(line).n)
			close_sample(f);
		else if (parse_head(line, &h))
			open_sample(f, &h);
		else if (f->open && blank(line.p[0]) && !add_frame(f, line))
			profile_odd(f->p, PROFILE_ODD_LINE, n);
	}
	close_sample(f);
}

static const char *text(struct perf *f, string_id s)
{
	return strings_get(&f->p->strings, s).p;
}

static stack_id resolve(struct perf *f, stack_id s)
{
	f->nframes = 0;
	for (; s != NONE && f->ours[s] == NONE; s = f->stacks.prefix[s]) {
		if (f->nframes == f->frames_cap)
			f->frames = alloc_grown(f->frames, &f->frames_cap, sizeof(*f->frames));
		f->frames[f->nframes++] = s;
	}
	stack_id top = s == NONE ? NONE : f->ours[s];

	while (f->nframes) {
		s = f->frames[--f->nframes];
		struct function x = f->functions.at[f->stacks.func[s]];

		top = stacks_add(&f->p->stacks, top,
				 functions_add(&f->p->functions, x.name, x.file, 0));
		f->ours[s] = top;
	}
	return top;
}

/* Deals the samples out, thread by thread, each in the order of the file. */
static void emit(struct perf *f, bool by_period)
{
	uint32_t *order = alloc_checked(malloc((f->n + 1) * sizeof(*order))), at = 0;
	uint32_t *next = alloc_checked(malloc((f->keys.n + 1) * sizeof(*next)));

	f->ours = alloc_checked(malloc((f->stacks.n + 1) * sizeof(*f->ours)));
	memset(f->ours, 0xff, f->stacks.n * sizeof(*f->ours));
	for (uint32_t t = 0; t < f->keys.n; at += f->threads[t++].n)
		next[t] = at;
	for (size_t i = 0; i < f->n; i++)
		order[next[f->samples[i].thread]++] = (uint32_t)i;
	at = 0;
	for (uint32_t t = 0; t < f->keys.n; t++) {
		const struct perf_thread *x = &f->threads[t];

		profile_thread(f->p, text(f, x->comm), NULL, text(f, x->pid), text(f, x->tid));
		if (by_period)
			profile_unit(f->p, PROFILE_OTHER, "period");
		for (uint32_t k = 0; k < x->n; k++) {
			const struct perf_sample *s = &f->samples[order[at++]];

			profile_sample(f->p, (struct sample){ resolve(f, s->stack), s->time,
							      by_period ? s->period : 1, 1 });
		}
	}
	free(order);
	free(next);
}

enum profile_answer profile_perf(struct scroll *w, const char *path, struct profile_options o,
				 struct profile **out, struct lp_error *err)
{
	bool by_period = o.weight && !strcmp(o.weight, "period");
	struct perf f = { .p = profile_new(path, "perf script"), .firefox = o.firefox };

	if (o.weight && !by_period && strcmp(o.weight, "samples") && strcmp(o.weight, "count"))
		f.event = o.weight;
	read_lines(&f, w);
	emit(&f, by_period);
	f.p->nevents = f.events.n;
	bool none = f.event && !f.n;

	strings_free(&f.keys);
	strings_free(&f.events);
	free(f.threads);
	free(f.samples);
	free(f.frames);
	free(f.ours);
	functions_free(&f.functions);
	stacks_free(&f.stacks);
	if (none) {
		error_set(err, "%s: no samples of an event '%s'", path, o.weight);
		profile_free(f.p);
		return PROFILE_REFUSED;
	}
	*out = profile_finish(f.p, err);
	return *out ? PROFILE_READ : PROFILE_REFUSED;
}
