/*
 * Which kernels an operator runs, and one name for what both traces call differently: at
 * each common ancestor the operators of both sides are paired, and a pair gets a name if
 * its names have something in common, or if both are only ever called by one module.
 */
#include "analysis/tracediff_stats.h"

#include "base/jsonw.h"
#include "base/map.h"

#include <stdlib.h>

/* A list of names that are different, in order of appearance. */
struct names {
	uint32_t n, cap;
	uint32_t *id;
};

static bool names_add(struct names *l, uint32_t id, struct arena *a)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->id[i] == id)
			return false;
	if (l->n == l->cap) {
		uint32_t *more = NEW(a, l->cap = 2 * l->cap + 4, uint32_t);

		if (l->n)
			memcpy(more, l->id, l->n * sizeof(*more));
		l->id = more;
	}
	l->id[l->n++] = id;
	return true;
}

struct renamer {
	struct stats *s;
	struct strings names;
	struct names *modules; /* of each name: those of the trace it was last seen in */
	uint32_t *to;          /* of each name: its new one; NONE */
	uint8_t *visited;
	struct arena a;
};

static uint32_t name_id(struct renamer *r, struct str s)
{
	return strings_add(&r->names, s.p, s.n);
}

static struct str name_text(const struct renamer *r, uint32_t id)
{
	return strings_get(&r->names, id);
}

static struct str last_part(struct str s)
{
	for (size_t i = s.n; i >= 2; i--)
		if (s.p[i - 1] == ':' && s.p[i - 2] == ':')
			return (struct str){ s.p + i, s.n - i };
	return s;
}

static struct str without_spaces(struct arena *a, struct str s)
{
	char *to = arena_alloc(a, s.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != ' ')
			to[n++] = s.p[i];
	return (struct str){ to, n };
}

/* {NULL, 0} if two operators have none. */
static struct str common_name(struct renamer *r, uint32_t x, uint32_t y)
{
	struct str a = last_part(name_text(r, x)), b = last_part(name_text(r, y));
	const struct names *m = &r->modules[x], *n = &r->modules[y];

	if (str_eq(a, b) || str_contains(b, a))
		return a;
	if (str_contains(a, b))
		return b;
	if (a.n >= 20 && b.n >= 20 && !memcmp(a.p, b.p, 20))
		return str_of(arena_print(&r->a, "%.*s/%.*s", STR_ARGS(a), STR_ARGS(b)));
	if (m->n == 1 && n->n == 1 && m->id[0] == n->id[0])
		return without_spaces(&r->a, name_text(r, m->id[0]));
	return (struct str){ 0 };
}

static bool rename_pair(struct renamer *r, uint32_t x, uint32_t y)
{
	struct str name = common_name(r, x, y);

	if (!name.p)
		return false;
	r->to[x] = r->to[y] = name_id(r, name);
	return true;
}

static void drop(struct names *l, uint32_t i)
{
	memmove(l->id + i, l->id + i + 1, (l->n - i - 1) * sizeof(*l->id));
	l->n--;
}

static void drop_equal(struct names *x, struct names *y)
{
	for (uint32_t i = 0; i < x->n;) {
		uint32_t j = 0;

		while (j < y->n && y->id[j] != x->id[i])
			j++;
		if (j == y->n) {
			i++;
			continue;
		}
		drop(x, i);
		drop(y, j);
	}
}

static void rename_ops(struct renamer *r, struct names *x, struct names *y)
{
	if (x->n == y->n) {
		for (uint32_t i = 0; i < x->n; i++)
			if (x->id[i] != y->id[i])
				rename_pair(r, x->id[i], y->id[i]);
		return;
	}
	drop_equal(x, y);
	for (uint32_t i = 0; i < x->n; i++)
		for (uint32_t j = 0; j < y->n; j++)
			if (rename_pair(r, x->id[i], y->id[j])) {
				drop(y, j);
				break;
			}
}

static bool visit_all(struct renamer *r, const struct names *l)
{
	bool all = true;

	for (uint32_t i = 0; i < l->n; i++) {
		all &= r->visited[l->id[i]];
		r->visited[l->id[i]] = 1;
	}
	return all;
}

/* The operators of one common ancestor, by side. */
struct at_lca {
	struct names op[2];
};

static void rename_lcas(struct renamer *r)
{
	struct stats *s = r->s;
	struct map of = map_new(&r->a, s->n);
	struct at_lca *lca = NEW(&r->a, s->n, struct at_lca);
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		if (s->row[i].lca == NONE)
			continue;
		uint32_t *at = map_at(&of, s->row[i].lca);
		if (*at == NONE)
			*at = n++;
		names_add(&lca[*at].op[s->row[i].side], name_id(r, s->row[i].cell[STATS_OP]),
			  &r->a);
	}
	for (uint32_t i = 0; i < n; i++) {
		struct names *x = &lca[i].op[0], *y = &lca[i].op[1];

		if (!x->n || !y->n)
			continue;
		bool seen = visit_all(r, x);
		seen &= visit_all(r, y);
		if (!seen)
			rename_ops(r, x, y);
	}
}

/* Later traces replace what earlier ones had. */
static void find_modules(struct renamer *r)
{
	struct stats *s = r->s;
	uint8_t *seen = NEW(&r->a, r->names.n, uint8_t);

	for (int side = 0; side < 2; side++)
		for (uint32_t i = 0; i < s->n; i++) {
			if (s->row[i].side != side)
				continue;
			uint32_t op = name_id(r, s->row[i].cell[STATS_OP]);
			if (seen[op] != side + 1)
				r->modules[op] = (struct names){ 0 };
			seen[op] = (uint8_t)(side + 1);
			names_add(&r->modules[op], name_id(r, s->row[i].cell[STATS_MODULE]), &r->a);
		}
}

void stats_rename(struct stats *s, struct stats_groups *g)
{
	struct renamer r = { .s = s };

	for (uint32_t i = 0; i < s->n; i++) {
		name_id(&r, s->row[i].cell[STATS_OP]);
		name_id(&r, s->row[i].cell[STATS_MODULE]);
	}
	uint32_t room = r.names.n;
	r.modules = NEW(&r.a, room, struct names);
	r.visited = NEW(&r.a, room, uint8_t);
	r.to = NEW(&r.a, room, uint32_t);
	memset(r.to, 0xff, room * sizeof(*r.to));
	find_modules(&r);
	rename_lcas(&r);
	for (uint32_t i = 0; i < g->n; i++) {
		uint32_t to = r.to[name_id(&r, g->at[i].op)];

		if (to != NONE) {
			struct str name = name_text(&r, to);

			g->at[i].op = (struct str){ arena_text(&s->arena, name.p, name.n), name.n };
		}
		g->at[i].module = without_spaces(&s->arena, g->at[i].module);
	}
	strings_free(&r.names);
	arena_free(&r.a);
}

/* ---- JSON ---- */

static int by_text(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* Sorts, and drops what is there twice. */
static uint32_t unique(struct str *s, uint32_t n)
{
	uint32_t kept = 0;

	if (n > 1)
		qsort(s, n, sizeof(*s), by_text);
	for (uint32_t i = 0; i < n; i++)
		if (!kept || !str_eq(s[kept - 1], s[i]))
			s[kept++] = s[i];
	return kept;
}

static void write_list(struct out *o, struct str *s, uint32_t n, unsigned indent)
{
	n = unique(s, n);
	out_text(o, n ? "[\n" : "[]");
	for (uint32_t i = 0; i < n; i++) {
		out_fill(o, ' ', indent + 2);
		jsonw_str(o, s[i]);
		out_text(o, i + 1 < n ? ",\n" : "\n");
	}
	if (!n)
		return;
	out_fill(o, ' ', indent);
	out_char(o, ']');
}

static void write_key(struct out *o, struct str key, unsigned indent, bool first)
{
	out_text(o, first ? "\n" : ",\n");
	out_fill(o, ' ', indent);
	jsonw_str(o, key);
	out_text(o, ": ");
}

static void write_close(struct out *o, unsigned indent, bool empty)
{
	if (!empty) {
		out_char(o, '\n');
		out_fill(o, ' ', indent);
	}
	out_char(o, '}');
}

bool stats_write_map(const struct stats *s, int side, FILE *file)
{
	struct arena a = { 0 };
	struct out *o = NEW(&a, 1, struct out);
	struct str *op = NEW(&a, s->n, struct str), *kernel = NEW(&a, s->n, struct str);
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->n; i++)
		if (s->row[i].side == side || s->identical)
			op[n++] = s->row[i].cell[STATS_OP];
	n = unique(op, n);
	o->file = file;
	out_char(o, '{');
	for (uint32_t k = 0; k < n; k++) {
		uint32_t nkernels = 0;

		for (uint32_t i = 0; i < s->n; i++)
			if ((s->row[i].side == side || s->identical) &&
			    str_eq(s->row[i].cell[STATS_OP], op[k]))
				kernel[nkernels++] = s->row[i].cell[STATS_NAME];
		write_key(o, op[k], 2, !k);
		write_list(o, kernel, nkernels, 2);
	}
	write_close(o, 0, !n);
	out_flush(o);
	arena_free(&a);
	return !ferror(file);
}

struct map_writer {
	const struct stats *s;
	const struct stats_groups *g;
	struct out *o;
	struct str *text; /* room for one per group */
};

/* The kernels and modules of one operator in one trace (2: in any). False if it has none. */
static bool write_source(struct map_writer *w, struct str op, int side, unsigned indent)
{
	uint32_t n = 0, nmodules = 0;

	for (uint32_t i = 0; i < w->g->n; i++) {
		const struct stats_group *x = &w->g->at[i];

		if (str_eq(x->op, op) && (side == 2 || w->s->row[x->first].side == side))
			w->text[n++] = w->s->row[x->first].cell[STATS_NAME];
	}
	if (!n)
		return false;
	out_char(w->o, '{');
	write_key(w->o, STR("kernels"), indent, true);
	write_list(w->o, w->text, n, indent);
	for (uint32_t i = 0; i < w->g->n; i++) {
		const struct stats_group *x = &w->g->at[i];

		if (str_eq(x->op, op) && (side == 2 || w->s->row[x->first].side == side))
			w->text[nmodules++] = x->module;
	}
	write_key(w->o, STR("nn_module_parents"), indent, false);
	write_list(w->o, w->text, nmodules, indent);
	write_close(w->o, indent - 2, false);
	return true;
}

static bool has_source(const struct map_writer *w, struct str op, int side)
{
	for (uint32_t i = 0; i < w->g->n; i++)
		if (str_eq(w->g->at[i].op, op) && w->s->row[w->g->at[i].first].side == side)
			return true;
	return false;
}

static void write_op(struct map_writer *w, struct str op)
{
	bool first = true;

	if (w->s->identical) {
		write_source(w, op, 2, 4);
		return;
	}
	out_char(w->o, '{');
	for (int side = 0; side < 2; side++) {
		if (!has_source(w, op, side))
			continue;
		write_key(w->o, side ? STR("trace2") : STR("trace1"), 4, first);
		write_source(w, op, side, 6);
		first = false;
	}
	write_close(w->o, 2, first);
}

bool stats_write_maps(const struct stats *s, const struct stats_groups *g, FILE *file)
{
	struct arena a = { 0 };
	struct strings seen = { 0 };
	struct map_writer w = { s, g, NEW(&a, 1, struct out), NEW(&a, g->n, struct str) };
	uint32_t n = 0;

	w.o->file = file;
	out_char(w.o, '{');
	for (uint32_t i = 0; i < g->n; i++)
		if (strings_add(&seen, g->at[i].op.p, g->at[i].op.n) == n) {
			write_key(w.o, g->at[i].op, 2, !n);
			write_op(&w, g->at[i].op);
			n++;
		}
	write_close(w.o, 0, !n);
	out_flush(w.o);
	strings_free(&seen);
	arena_free(&a);
	return !ferror(file);
}
