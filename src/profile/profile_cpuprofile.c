/*
 * Nodes are gathered in one list, nested ones with the help of a list of those that are
 * open, so depth costs no recursion. At the end ids become rows; a node is only known to
 * be below another by then.
 */
#include "profile/profile_cpuprofile.h"

#include "base/map.h"
#include "base/alloc.h"

#include <stdlib.h>

#define US_PLACES 3 /* from microseconds to ns */

struct node {
	uint32_t id, parent_id; /* NONE: not said */
	uint32_t parent;        /* row; NONE: not known yet */
	func_id func;
	int64_t hits, size;
	stack_id stack;
	bool stacked;
};

struct link {
	uint32_t parent, child_id; /* row, id */
};

struct cpuprofile {
	struct profile *p;
	struct node *nodes;
	size_t n, cap;
	struct link *links;
	size_t nlinks, links_cap;
	struct jstream_ids samples;
	struct jstream_decimals deltas, stamps; /* ns */
	struct scaled start, end;               /* us */
	bool heap;
};

/* A node that is being read: has its list of children begun? */
struct open {
	uint32_t node;
	bool in_children;
};

struct opens {
	struct open *at;
	size_t n, cap;
};

struct cpuprofile *cpuprofile_new(struct profile *p)
{
	struct cpuprofile *c = alloc_checked(calloc(1, sizeof(*c)));
	c->p = p;
	c->deltas.places = c->stamps.places = US_PLACES;
	return c;
}

void cpuprofile_free(struct cpuprofile *c)
{
	free(c->nodes);
	free(c->links);
	free(c->samples.at);
	free(c->deltas.at);
	free(c->stamps.at);
	free(c);
}

bool cpuprofile_any(const struct cpuprofile *c)
{
	return c->n > 0;
}

/* ---- Nodes ---- */

struct call_frame {
	char *name, *url;
	int64_t line;
};

static bool frame_key(struct jstream *js, struct call_frame *f, struct str key)
{
	char **text = str_eq(key, STR("functionName")) ? &f->name
		      : str_eq(key, STR("url"))        ? &f->url
						       : NULL;

	if (text && !*text)
		*text = jstream_text(js);
	else if (str_eq(key, STR("lineNumber")) && jstream_peek(js) == JSTREAM_NUMBER)
		jstream_i64(js, &f->line);
	else
		return false;
	return true;
}

static bool read_call_frame(struct jstream *js, struct call_frame *f)
{
	struct str key;

	jstream_object(js);
	while (jstream_key(js, &key))
		if (!frame_key(js, f, key))
			jstream_skip(js);
	return jstream_ok(js);
}

/* Reads an id or a count below 2^32 - 1; anything else is NONE. */
static uint32_t read_id(struct jstream *js)
{
	int64_t v = -1;

	if (jstream_peek(js) != JSTREAM_NUMBER)
		jstream_skip(js);
	else
		jstream_i64(js, &v);
	return v >= 0 && v < NONE ? (uint32_t)v : NONE;
}

static uint32_t read_hits(struct jstream *js)
{
	uint32_t n = read_id(js);

	return n == NONE ? 0 : n;
}

static void add_link(struct cpuprofile *c, uint32_t parent, uint32_t child_id)
{
	if (c->nlinks == c->links_cap)
		c->links = alloc_grown(c->links, &c->links_cap, sizeof(*c->links));
	c->links[c->nlinks++] = (struct link){ parent, child_id };
}

static void push_node(struct cpuprofile *c, struct opens *o, uint32_t parent)
{
	if (c->n == c->cap)
		c->nodes = alloc_grown(c->nodes, &c->cap, sizeof(*c->nodes));
	if (o->n == o->cap)
		o->at = alloc_grown(o->at, &o->cap, sizeof(*o->at));
	c->nodes[c->n] =
		(struct node){ .id = NONE, .parent_id = NONE, .parent = parent, .func = NONE };
	o->at[o->n++] = (struct open){ (uint32_t)c->n++, false };
}

/* The frames of nested nodes are kept per open node until it closes. */
static void node_value(struct jstream *js, struct cpuprofile *c, uint32_t node,
		       struct call_frame *f, struct str key)
{
	struct node *x = &c->nodes[node];

	if (str_eq(key, STR("id")))
		x->id = read_id(js);
	else if (str_eq(key, STR("parent")))
		x->parent_id = read_id(js);
	else if (str_eq(key, STR("hitCount")))
		x->hits = read_hits(js);
	else if (str_eq(key, STR("selfSize")) && jstream_peek(js) == JSTREAM_NUMBER)
		c->heap = jstream_i64(js, &x->size);
	else if (str_eq(key, STR("callFrame")) && jstream_peek(js) == JSTREAM_OBJECT)
		read_call_frame(js, f);
	else if (!frame_key(js, f, key))
		jstream_skip(js);
}

static void name_node(struct cpuprofile *c, uint32_t node, struct call_frame *f)
{
	const char *name = f->name && *f->name ? f->name : "(anonymous)";

	c->nodes[node].func =
		profile_function_at(c->p, str_of(name), str_of(f->url ? f->url : ""),
				    f->line >= 0 && f->line < NONE - 1 ? (uint32_t)f->line + 1 : 0);
	free(f->name);
	free(f->url);
	*f = (struct call_frame){ .line = -1 };
}

/* One step inside the list of children of `top`: a nested node is pushed, an id is linked. */
static void step_children(struct jstream *js, struct cpuprofile *c, struct opens *o)
{
	struct open *top = &o->at[o->n - 1];
	uint32_t node = top->node;

	if (!jstream_item(js)) {
		top->in_children = false;
	} else if (jstream_peek(js) == JSTREAM_OBJECT) {
		jstream_object(js);
		push_node(c, o, node);
	} else {
		add_link(c, node, read_id(js));
	}
}

/*
 * The node at hand and all that is nested in it. A nested node's own values may follow its
 * children, so its frame is named when its values are: before the first child and at its end.
 */
static bool read_node(struct jstream *js, struct cpuprofile *c)
{
	struct opens o = { 0 };
	struct call_frame f = { .line = -1 };
	struct str key;

	jstream_object(js);
	push_node(c, &o, NONE);
	while (o.n && jstream_ok(js)) {
		struct open *top = &o.at[o.n - 1];

		if (top->in_children) {
			step_children(js, c, &o);
		} else if (!jstream_key(js, &key)) {
			if (f.name || c->nodes[top->node].func == NONE)
				name_node(c, top->node, &f);
			o.n--;
		} else if (str_eq(key, STR("children")) && jstream_peek(js) == JSTREAM_ARRAY) {
			if (f.name)
				name_node(c, top->node, &f);
			top->in_children = jstream_array(js);
		} else {
			node_value(js, c, top->node, &f, key);
		}
	}
	free(f.name);
	free(f.url);
	free(o.at);
	return jstream_ok(js);
}

/* ---- Keys ---- */

bool cpuprofile_key(struct jstream *js, struct cpuprofile *c, struct str key)
{
	enum jstream_type type = jstream_peek(js);

	if (str_eq(key, STR("nodes")) && type == JSTREAM_ARRAY) {
		jstream_array(js);
		while (jstream_item(js))
			if (!read_node(js, c))
				break;
	} else if (str_eq(key, STR("head")) && type == JSTREAM_OBJECT) {
		read_node(js, c);
	} else if (str_eq(key, STR("samples")) && type == JSTREAM_ARRAY) {
		jstream_ids(js, &c->samples);
	} else if (str_eq(key, STR("timeDeltas")) && type == JSTREAM_ARRAY) {
		jstream_fixed(js, &c->deltas);
	} else if (str_eq(key, STR("timestamps")) && type == JSTREAM_ARRAY) {
		jstream_fixed(js, &c->stamps);
	} else if (str_eq(key, STR("startTime"))) {
		jstream_scaled(js, &c->start);
	} else if (str_eq(key, STR("endTime"))) {
		jstream_scaled(js, &c->end);
	} else {
		return false;
	}
	return true;
}

/* ---- To stacks and samples ---- */

static void link_nodes(struct cpuprofile *c, const struct map *rows)
{
	for (size_t i = 0; i < c->nlinks; i++) {
		uint32_t child = map_get(rows, c->links[i].child_id);

		if (child == NONE || child == c->links[i].parent)
			profile_odd(c->p, PROFILE_ODD_INDEX, i);
		else
			c->nodes[child].parent = c->links[i].parent;
	}
	for (size_t i = 0; i < c->n; i++) {
		struct node *x = &c->nodes[i];

		if (x->parent == NONE && x->parent_id != NONE)
			x->parent = map_get(rows, x->parent_id);
	}
}

/* The stack of a node: climbs to the first ancestor that has one (or to a root, or around). */
static stack_id stack_of(struct cpuprofile *c, uint32_t node, struct jstream_ids *chain)
{
	stack_id s = NONE;

	chain->n = 0;
	for (uint32_t x = node; x != NONE && chain->n <= c->n; x = c->nodes[x].parent) {
		if (c->nodes[x].stacked) {
			s = c->nodes[x].stack;
			break;
		}
		c->nodes[x].stacked = true;
		c->nodes[x].stack = NONE;
		jstream_push_id(chain, x);
	}
	while (chain->n) {
		struct node *x = &c->nodes[chain->at[--chain->n]];

		x->stack = s = stacks_add(&c->p->stacks, s, x->func);
	}
	return s;
}

static nsec time_of(const struct cpuprofile *c, size_t i, nsec before)
{
	return i < c->stamps.n   ? c->stamps.at[i]
	       : i < c->deltas.n ? samples_after(before, c->deltas.at[i])
				 : before;
}

/* A sample lasts until the next; the last one, until the end of the profile. */
static void emit_samples(struct cpuprofile *c, const struct map *rows)
{
	nsec at = 0, end = 0, next;

	scaled_round(c->start, US_PLACES, &at);
	scaled_round(c->end, US_PLACES, &end);
	at = time_of(c, 0, at);
	for (size_t i = 0; i < c->samples.n; i++, at = next) {
		uint32_t node = map_get(rows, c->samples.at[i]);

		next = i + 1 < c->samples.n ? time_of(c, i + 1, at) : MAX_OF(end, at);
		if (next == INT64_MAX || next == INT64_MIN)
			profile_odd(c->p, PROFILE_ODD_WEIGHT, i);
		if (node == NONE) {
			profile_odd(c->p, PROFILE_ODD_INDEX, i);
			continue;
		}
		profile_sample(c->p, (struct sample){
					     .stack = c->nodes[node].stack,
					     .time = at,
					     .weight = MAX_OF(samples_span(at, next), 0),
					     .count = 1,
				     });
	}
	profile_unit(c->p, PROFILE_NS, "ns");
	c->p->spans = true;
}

/* Without samples there are only sums per node: hits, or the bytes of a heap profile. */
static void emit_sums(struct cpuprofile *c)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct node *x = &c->nodes[i];
		int64_t weight = c->heap ? x->size : x->hits;

		if (weight)
			profile_sample(c->p, (struct sample){ x->stack, NSEC_NONE, weight, 1 });
	}
	profile_unit(c->p, c->heap ? PROFILE_BYTES : PROFILE_SAMPLES,
		     c->heap ? "bytes" : "samples");
}

void cpuprofile_finish(struct cpuprofile *c, const char *name, const char *pid, const char *tid)
{
	struct arena a = { 0 };
	struct map rows = map_new(&a, c->n);
	struct jstream_ids chain = { 0 };

	for (size_t i = 0; i < c->n; i++)
		if (c->nodes[i].id != NONE)
			*map_at(&rows, c->nodes[i].id) = (uint32_t)i;
	link_nodes(c, &rows);
	for (size_t i = 0; i < c->n; i++)
		stack_of(c, (uint32_t)i, &chain);
	profile_thread(c->p, name, NULL, pid, tid);
	if (c->samples.n)
		emit_samples(c, &rows);
	else
		emit_sums(c);
	free(chain.at);
	arena_free(&a);
}
