/*
 * Collapsed files are mostly sorted, so a line shares its first frames with the line
 * before: those are not looked up again.
 *
 *	before   main;run;step;decode 12
 *	now      main;run;step;encode 7      main;run;step is known, encode is looked up
 */
#include "profile/profile_collapsed.h"
#include "base/alloc.h"

#include <stdlib.h>

struct line {
	struct str stack;
	struct str count, second; /* second: of a diff, or {NULL, 0} */
};

/* The frames of the line before: where each ends (at its ';') and its stack. */
struct known {
	char *text;
	size_t n, cap;
	struct frame_end {
		size_t end;
		stack_id stack;
	} * frames;
	size_t nframes, frames_cap;
	bool firefox;
};

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct str trimmed(struct str s)
{
	while (s.n && (blank(s.p[s.n - 1]) || s.p[s.n - 1] == '\r'))
		s.n--;
	return s;
}

static bool is_count(struct str s)
{
	struct scaled d;
	char first = s.n ? s.p[0] : 'x', last = s.n ? s.p[s.n - 1] : 'x';

	return (first == '-' || (first >= '0' && first <= '9')) &&
	       ((last >= '0' && last <= '9') || (last == '.' && s.n > 1)) && scaled_parse(s, &d);
}

/* Takes the last word off `s`. */
static struct str last_word(struct str *s)
{
	size_t n = s->n;

	while (n && !blank(s->p[n - 1]))
		n--;
	struct str word = { s->p + n, s->n - n };

	*s = trimmed((struct str){ s->p, n });
	return word;
}

static bool split(struct str text, bool two, struct line *out)
{
	struct str s = trimmed(text);

	*out = (struct line){ .count = last_word(&s) };
	if (!s.n || !is_count(out->count))
		return false;
	if (two) {
		out->second = out->count;
		out->count = last_word(&s);
		if (!s.n || !is_count(out->count))
			return false;
	}
	out->stack = s;
	return true;
}

static bool next_of(struct str *rest, struct str *line)
{
	const char *lf = rest->n ? memchr(rest->p, '\n', rest->n) : NULL;

	if (!lf)
		return false;
	*line = (struct str){ rest->p, (size_t)(lf - rest->p) };
	rest->n -= line->n + 1;
	rest->p = lf + 1;
	return true;
}

struct looks {
	size_t lines, good, two, stacks;
};

static void look_at(struct str text, struct looks *l)
{
	struct str s = trimmed(text);
	struct line x;

	if (!s.n || s.p[0] == '#')
		return;
	l->lines++;
	if (blank(s.p[0]) || !split(s, false, &x))
		return;
	l->good++;
	l->stacks += memchr(x.stack.p, ';', x.stack.n) != NULL;
	l->two += split(s, true, &x);
}

static struct looks look(struct str head, bool whole)
{
	struct looks l = { 0 };
	struct str line;

	while (next_of(&head, &line))
		look_at(line, &l);
	if (whole && head.n)
		look_at(head, &l);
	return l;
}

bool collapsed_looks(struct str head, bool whole)
{
	struct looks l = look(head, whole);

	if (memchr(head.p, 0, head.n))
		return false;
	if (!l.lines) /* all of it is one long line */
		return head.n && !strchr("{[", head.p[0]) && memchr(head.p, ';', head.n);
	return l.good && (l.stacks ? 2 * l.good >= l.lines : l.good == l.lines);
}

/* Without the mark of a collapser; Firefox Profiler takes off that of jitted code only. */
static struct str plain(struct str frame, bool firefox)
{
	if (frame.n > 4 && frame.p[frame.n - 4] == '_' && frame.p[frame.n - 3] == '[' &&
	    frame.p[frame.n - 1] == ']' && strchr(firefox ? "j" : "kij01", frame.p[frame.n - 2]))
		frame.n -= 4;
	return frame;
}

/* How many frames of the line before begin `stack` too; with the separator that ends them. */
static size_t shared_frames(const struct known *k, struct str stack)
{
	size_t n = MIN_OF(k->n, stack.n), same = 0, frames = 0;

	while (same < n && k->text[same] == stack.p[same])
		same++;
	while (frames < k->nframes && k->frames[frames].end <= same &&
	       (k->frames[frames].end == stack.n || stack.p[k->frames[frames].end] == ';'))
		frames++;
	return frames;
}

static void remember_frame(struct known *k, size_t end, stack_id stack)
{
	if (k->nframes == k->frames_cap) {
		k->frames_cap = k->frames_cap ? 2 * k->frames_cap : 64;
		k->frames = alloc_checked(realloc(k->frames, k->frames_cap * sizeof(*k->frames)));
	}
	k->frames[k->nframes++] = (struct frame_end){ end, stack };
}

static void remember_text(struct known *k, struct str stack)
{
	if (stack.n > k->cap) {
		k->cap = 2 * stack.n;
		k->text = alloc_checked(realloc(k->text, k->cap));
	}
	memcpy(k->text, stack.p, stack.n);
	k->n = stack.n;
}

static stack_id stack_of(struct profile *p, struct known *k, struct str stack)
{
	k->nframes = shared_frames(k, stack);
	stack_id top = k->nframes ? k->frames[k->nframes - 1].stack : NONE;
	size_t at = k->nframes ? k->frames[k->nframes - 1].end + 1 : 0;

	while (at <= stack.n) {
		const char *semi = memchr(stack.p + at, ';', stack.n - at);
		size_t end = semi ? (size_t)(semi - stack.p) : stack.n;
		struct str frame = plain((struct str){ stack.p + at, end - at }, k->firefox);

		if (frame.n)
			top = stacks_add(&p->stacks, top, profile_function(p, frame));
		remember_frame(k, end, top);
		at = end + 1;
	}
	remember_text(k, stack);
	return top;
}

static void take_line(struct profile *p, struct known *k, const struct line *x, uint64_t line)
{
	int64_t weight, second;
	stack_id stack;

	if (!profile_weight(p, x->count, &weight) ||
	    (x->second.n &&
	     (!profile_weight(p, x->second, &second) || !profile_weight(p, x->count, &weight) ||
	      __builtin_sub_overflow(second, weight, &weight)))) {
		profile_odd(p, PROFILE_ODD_LINE, line);
		return;
	}
	stack = stack_of(p, k, x->stack);
	profile_sample(p, (struct sample){
				  .stack = stack,
				  .time = NSEC_NONE,
				  .weight = weight,
				  .count = weight > 0 && !p->threads[0].places && weight < NONE
						   ? (uint32_t)weight
						   : 1,
			  });
}

enum profile_answer profile_collapsed(struct scroll *w, const char *path, struct profile_options o,
				      struct profile **out, struct lp_error *err)
{
	struct looks l = look((struct str){ (const char *)w->buf + w->at, w->end - w->at },
			      w->ended);
	struct profile *p = profile_new(path, "collapsed stacks");
	bool two = l.good && l.two == l.good;
	struct known k = { .firefox = o.firefox };
	struct str text;
	struct line x;

	profile_thread(p, NULL, NULL, NULL, NULL);
	for (uint64_t line = 1; scroll_line(w, &text); line++) {
		if (split(text, two, &x))
			take_line(p, &k, &x, line);
		else if (trimmed(text).n && text.p[0] != '#')
			profile_odd(p, PROFILE_ODD_LINE, line);
	}
	free(k.text);
	free(k.frames);
	if (!p->samples.n) {
		error_set(err, "%s: no line of it is a stack with a count", path);
		profile_free(p);
		return PROFILE_REFUSED;
	}
	*out = profile_finish(p, err);
	return *out ? PROFILE_READ : PROFILE_REFUSED;
}
