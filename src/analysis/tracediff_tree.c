/* The text tree: combined children first, then those of the first trace, then the second's. */
#include "analysis/tracediff.h"

#include "base/out.h"

struct tree_writer {
	const struct diff_sides *d;
	const struct tracediff_merged *m;
	struct out *out;
	char *prefix; /* what stands before the children of the open nodes */
	size_t len, cap;
};

struct str tracediff_raw_name(const struct diff_sides *d, int k, uint32_t u)
{
	const struct diff_side *s = &d->side[k];

	return s->event[u] == NONE ? d->names.text[s->name[u]] : trace_name(s->tr, s->event[u]);
}

static void write_label(struct tree_writer *w, uint32_t i)
{
	uint32_t u = w->m->node[0][i], v = w->m->node[1][i];
	struct str a = u == NONE ? STR("") : tracediff_raw_name(w->d, 0, u);
	struct str b = v == NONE ? STR("") : tracediff_raw_name(w->d, 1, v);

	if (v == NONE)
		out_print(w->out, ">> trace1: %.*s\n", STR_ARGS(a));
	else if (u == NONE)
		out_print(w->out, "<< trace2: %.*s\n", STR_ARGS(b));
	else if (str_eq(a, b))
		out_print(w->out, "%.*s\n", STR_ARGS(a));
	else
		out_print(w->out, "combined: %.*s | %.*s\n", STR_ARGS(a), STR_ARGS(b));
}

/* 0 combined, 1 only in the first, 2 only in the second. */
static int group_of(const struct tracediff_merged *m, uint32_t i)
{
	return m->node[1][i] == NONE ? 1 : m->node[0][i] == NONE ? 2 : 0;
}

static uint32_t *grouped_children(const struct tracediff_merged *m, struct arena *a)
{
	uint32_t *child = NEW(a, m->first[m->n], uint32_t), n = 0;

	for (uint32_t i = 0; i < m->n; i++)
		for (int group = 0; group < 3; group++)
			for (uint32_t c = m->first[i]; c < m->first[i + 1]; c++)
				if (group_of(m, m->child[c]) == group)
					child[n++] = m->child[c];
	return child;
}

static void open_prefix(struct tree_writer *w, const char *text, struct arena *a)
{
	size_t n = strlen(text);

	if (w->len + n > w->cap) {
		char *more = arena_alloc(a, w->cap = 2 * w->cap + 64);

		memcpy(more, w->prefix, w->len);
		w->prefix = more;
	}
	memcpy(w->prefix + w->len, text, n);
	w->len += n;
}

struct open_node {
	uint32_t next, end; /* children left to write */
	size_t len;         /* of the prefix before this node */
};

static void write_node(struct tree_writer *w, uint32_t i, bool last)
{
	out_bytes(w->out, w->prefix, w->len);
	out_text(w->out, last ? "└── " : "├── ");
	write_label(w, i);
}

static void write_root(struct tree_writer *w, uint32_t root, bool last, const uint32_t *child,
		       struct open_node *stack, struct arena *a)
{
	const struct tracediff_merged *m = w->m;
	uint32_t depth = 0;

	w->len = 0;
	write_node(w, root, last);
	stack[depth++] = (struct open_node){ m->first[root], m->first[root + 1], 0 };
	open_prefix(w, last ? "    " : "│   ", a);
	while (depth) {
		struct open_node *top = &stack[depth - 1];

		if (top->next == top->end) {
			w->len = top->len;
			depth--;
			continue;
		}
		uint32_t i = child[top->next++];
		size_t len = w->len;

		last = top->next == top->end;
		write_node(w, i, last);
		open_prefix(w, last ? "    " : "│   ", a);
		stack[depth++] = (struct open_node){ m->first[i], m->first[i + 1], len };
	}
}

static bool on_gpu(const struct tree_writer *w, uint32_t i)
{
	for (int k = 0; k < 2; k++)
		if (w->m->node[k][i] != NONE && diff_on_gpu(&w->d->side[k], w->m->node[k][i]))
			return true;
	return false;
}

bool tracediff_write_tree(const struct diff_sides *d, const struct tracediff_merged *m,
			  bool prune_non_gpu, FILE *file)
{
	struct arena a = { 0 };
	struct out *out = NEW(&a, 1, struct out);
	struct tree_writer w = {
		.d = d, .m = m, .out = out, .prefix = arena_alloc(&a, 64), .cap = 64
	};
	uint32_t *child = grouped_children(m, &a);
	struct open_node *stack = NEW(&a, (size_t)m->n + 1, struct open_node);

	out->file = file;
	for (uint32_t i = 0; i < m->nroots; i++)
		if (!prune_non_gpu || on_gpu(&w, m->root[i]))
			write_root(&w, m->root[i], i + 1 == m->nroots, child, stack, &a);
	out_flush(out);
	arena_free(&a);
	return !ferror(file);
}
