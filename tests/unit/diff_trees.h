/*
 * diff_trees.h - trees for tests, written as text.
 *
 *	block(bmm(transpose[t] [qk]) softmax{8,8}[s])
 *
 * is an operator with children; [k] is a launch with the kernel k, behind a name the same
 * as its only child; {8,8} are dims; %f is a Python frame; @f is a call; #k a kernel;
 * !g is a graph launch. <7> in a name stands for (7).
 */
#ifndef TESTS_DIFF_TREES_H
#define TESTS_DIFF_TREES_H

#include "analysis/diff_merge.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define TREE_MAX 4096

static uint32_t tree_add(struct diff_sides *d, int k, uint32_t parent, enum diff_kind kind,
			 struct str name)
{
	struct diff_side *s = &d->side[k];
	uint32_t i = s->n++;

	char *text = arena_text(&d->arena, name.p, name.n);
	for (size_t c = 0; c < name.n; c++)
		text[c] = text[c] == '<' ? '(' : text[c] == '>' ? ')' : text[c];
	s->kind[i] = (uint8_t)kind;
	s->name[i] = diff_names_add(&d->names, (struct str){ text, name.n });
	s->parent[i] = parent;
	s->event[i] = s->dims[i] = s->types[i] = NONE;
	s->ts[i] = i;
	return i;
}

static void tree_launch(struct diff_sides *d, int k, uint32_t parent, struct str kernel,
			const char *call)
{
	uint32_t launch = tree_add(d, k, parent, DIFF_CALL, str_of(call));

	tree_add(d, k, launch, DIFF_KERNEL, kernel);
}

static struct str tree_word(const char **p)
{
	const char *from = *p;

	while (**p && !strchr("()[]{} ", **p))
		(*p)++;
	return (struct str){ from, (size_t)(*p - from) };
}

static void tree_read(struct diff_sides *d, int k, const char *p, const char *call)
{
	struct diff_side *s = &d->side[k];
	uint32_t up = 0, last = 0;

	tree_add(d, k, NONE, DIFF_TRACE, STR(""));
	while (*p) {
		enum diff_kind kind = *p == '%'   ? DIFF_PYTHON
				      : *p == '@' ? DIFF_CALL
				      : *p == '!' ? DIFF_GRAPH
				      : *p == '#' ? DIFF_KERNEL
						  : DIFF_OP;
		if (*p == '(') {
			up = last;
			p++;
		} else if (*p == ')') {
			last = up;
			up = s->parent[up];
			p++;
		} else if (*p == '[') {
			uint32_t in = p[-1] == ' ' || p[-1] == '(' ? up : last;

			p++;
			tree_launch(d, k, in, tree_word(&p), call);
			p++;
		} else if (*p == '{') {
			p++;
			struct str dims = tree_word(&p);
			s->dims[last] = strings_add(&d->shapes, dims.p, dims.n);
			p++;
		} else if (*p == ' ') {
			p++;
		} else {
			p += kind != DIFF_OP;
			last = tree_add(d, k, up, kind, tree_word(&p));
		}
	}
	for (uint32_t i = 0; i < s->n; i++)
		s->end[i] = i + 1;
	for (uint32_t i = s->n; i-- > 1;)
		s->end[s->parent[i]] = MAX_OF(s->end[s->parent[i]], s->end[i]);
}

static void tree_room(struct diff_sides *d, int k, uint32_t n)
{
	struct diff_side *s = &d->side[k];
	struct arena *a = &d->arena;

	diff_side_room(s, a, n);
	s->ts = NEW(a, n, nsec);
}

/* The second trace launches with another vendor's call, unless that is another to the style. */
static inline struct diff_sides trees_of(enum diff_style style, const char *before,
					 const char *after)
{
	struct diff_sides d = { .names.style = style };

	for (int k = 0; k < 2; k++) {
		tree_room(&d, k, TREE_MAX);
		tree_read(&d, k, k ? after : before,
			  k && style == DIFF_OPTIMAL ? "hipModuleLaunchKernel"
						     : "cudaLaunchKernel");
	}
	diff_sides_finish(&d);
	return d;
}

static inline struct diff_sides trees(const char *before, const char *after)
{
	return trees_of(DIFF_OPTIMAL, before, after);
}

/* The merged tree as text: >x only before, <x only after, ~x moved, x|y paired in spite of names.
 */
static inline const char *tree_text(const struct diff_sides *d, const struct diff_merged *m)
{
	static char out[1 << 16];
	size_t n = 0;
	uint32_t depth = 0, stop[256];

	for (uint32_t i = 1; i < m->n; i++) {
		uint32_t u = m->node[0][i], v = m->node[1][i];
		struct str x = u == NONE ? STR("") : d->names.text[d->side[0].name[u]];
		struct str y = v == NONE ? STR("") : d->names.text[d->side[1].name[v]];

		while (depth && i >= stop[depth - 1]) {
			n += (size_t)sprintf(out + n, ")");
			depth--;
		}
		n += (size_t)sprintf(out + n, "%s%s", n && out[n - 1] != '(' ? " " : "",
				     u == NONE                 ? "<"
				     : v == NONE               ? ">"
				     : m->how[i] == DIFF_MOVED ? "~"
							       : "");
		n += (size_t)sprintf(out + n, "%.*s", STR_ARGS(u == NONE ? y : x));
		if (u != NONE && v != NONE && !str_eq(x, y))
			n += (size_t)sprintf(out + n, "|%.*s", STR_ARGS(y));
		if (m->end[i] > i + 1) {
			n += (size_t)sprintf(out + n, "(");
			stop[depth++] = m->end[i];
		}
	}
	while (depth--)
		out[n++] = ')';
	out[n] = 0;
	return out;
}

#endif
