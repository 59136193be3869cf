/*
 * The stacks of the kernels of a group part at some frame:
 *
 *	a b c k1      ['a', 'b', ['c', 'k1'], ['d', 'k2']]
 *	a b d k2
 *
 * The place that calls the operator is looked for in the same list: a frame inside of the
 * operator that has its name, else the nearest frame outside that is no mere wrapper.
 */
#include "analysis/tlreport/tlstack.h"

#include "analysis/pyrepr.h"

#include <ctype.h>

struct tlstacks {
	struct tlreport *r;
	const struct tree *t; /* with Python */
	struct strings names; /* as they are shown */
	uint32_t *shown;      /* of each string of the trace: its name + 1, 0: not asked yet */
	uint32_t *module;     /* of each node; NULL: not asked yet */
};

struct stack {
	uint32_t n;
	uint32_t *frame;
};

struct tlstacks *tlstack_open(struct tlreport *r)
{
	struct tlstacks *s = NEW(&r->scratch, 1, struct tlstacks);

	s->r = r;
	s->t = trace_tree(r->tr, TREE_FULL);
	s->shown = NEW(&r->scratch, r->tr->strings.n, uint32_t);
	return s;
}

void tlstack_close(struct tlstacks *s)
{
	strings_free(&s->names);
}

/* ---- names ---- */

/* Without any "_<digits>". */
static struct str cut_numbers(struct arena *a, struct str name)
{
	char *out = NEW(a, name.n + 1, char);
	size_t n = 0;

	for (size_t i = 0; i < name.n;) {
		size_t k = i + 1;

		while (name.p[i] == '_' && k < name.n && isdigit((unsigned char)name.p[k]))
			k++;
		if (k > i + 1)
			i = k;
		else
			out[n++] = name.p[i++];
	}
	return (struct str){ out, n };
}

static uint32_t shown(struct tlstacks *s, event_id e)
{
	string_id id = s->r->tr->ev.name[e];

	if (id == NONE)
		return strings_add(&s->names, "", 0);
	if (!s->shown[id]) {
		struct arena_mark mark = arena_mark(&s->r->scratch);
		struct str name = cut_numbers(&s->r->scratch, trace_name(s->r->tr, e));
		s->shown[id] = strings_add(&s->names, name.p, name.n) + 1;
		arena_rewind(&s->r->scratch, mark);
	}
	return s->shown[id] - 1;
}

const char *tlstack_name(const struct tlstacks *s, uint32_t number)
{
	struct str name = strings_get(&s->names, number);

	return arena_print(s->r->arena, "%.*s", STR_ARGS(name));
}

/* ---- modules ---- */

static void find_modules(struct tlstacks *s)
{
	uint32_t none = strings_add(&s->names, "NA", 2);

	s->module = NEW(&s->r->scratch, s->t->n, uint32_t);
	for (node_id i = 0; i < s->t->n; i++) {
		event_id e = s->t->event[i];

		if (str_starts(trace_name(s->r->tr, e), STR("nn.Module:")))
			s->module[i] = shown(s, e);
		else
			s->module[i] = s->t->parent[i] == NONE ? none : s->module[s->t->parent[i]];
	}
}

uint32_t tlstack_module(struct tlstacks *s, event_id e)
{
	node_id node = s->t->node[e];

	if (!s->module)
		find_modules(s);
	return node == NONE ? strings_add(&s->names, "NA", 2) : s->module[node];
}

const char *tlstack_modules(struct tlstacks *s, event_id e)
{
	struct arena_mark mark = arena_mark(&s->r->scratch);
	struct textbuf b = { .arena = &s->r->scratch };

	textbuf_add(&b, STR("["));
	pyrepr_string(&b, trace_name(s->r->tr, e));
	for (node_id i = s->t->node[e]; i != NONE; i = s->t->parent[i]) {
		struct str name = trace_name(s->r->tr, s->t->event[i]);

		if (!str_starts(name, STR("nn.Module:")))
			continue;
		textbuf_add(&b, STR(", "));
		pyrepr_string(&b, name);
	}
	textbuf_add(&b, STR("]"));
	const char *text = textbuf_keep(&b, s->r->arena);
	arena_rewind(&s->r->scratch, mark);
	return text;
}

/* ---- stacks ---- */

static bool is_shown(const struct tlstacks *s, event_id e)
{
	struct str name = trace_name(s->r->tr, e);

	return s->r->tr->ev.kind[e] == KIND_CPU_OP || str_contains(name, STR("nn.Module")) ||
	       str_contains(name, STR("::")) || str_contains(name, STR("/"));
}

/* The frames at and above an event, and below it a kernel by its whole name, unless NONE. */
static struct stack stack_of(struct tlstacks *s, event_id e, event_id kernel)
{
	struct stack out = { 0, NULL };
	struct str last = kernel == NONE ? STR("") : trace_name(s->r->tr, kernel);
	uint32_t n = kernel != NONE;

	for (node_id i = s->t->node[e]; i != NONE; i = s->t->parent[i])
		n += is_shown(s, s->t->event[i]);
	out.frame = NEW(&s->r->scratch, n, uint32_t);
	out.n = n;
	if (kernel != NONE)
		out.frame[--n] = strings_add(&s->names, last.p, last.n);
	for (node_id i = s->t->node[e]; i != NONE; i = s->t->parent[i])
		if (is_shown(s, s->t->event[i]))
			out.frame[--n] = shown(s, s->t->event[i]);
	return out;
}

static void add_frames(struct textbuf *b, const struct tlstacks *s, const uint32_t *frame,
		       uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (i)
			textbuf_add(b, STR(", "));
		pyrepr_string(b, strings_get(&s->names, frame[i]));
	}
}

/* ---- the stacks of a group ---- */

static uint32_t common(const struct stack *at, uint32_t n)
{
	for (uint32_t k = 0;; k++)
		for (uint32_t i = 0; i < n; i++)
			if (k == at[i].n || at[i].frame[k] != at[0].frame[k])
				return k;
}

/* Of stacks with equal tails the first; those without one are the beginning itself. */
static uint32_t keep_distinct(struct stack *at, uint32_t n, uint32_t from)
{
	struct strings seen = { 0 };
	uint32_t kept = 0;

	for (uint32_t i = 0; i < n; i++) {
		const char *tail = (const char *)(at[i].frame + from);
		uint32_t before = seen.n;

		if (at[i].n > from &&
		    strings_add(&seen, tail, (at[i].n - from) * sizeof(*at->frame)) == before)
			at[kept++] = at[i];
	}
	strings_free(&seen);
	return kept;
}

static const char *print(struct tlstacks *s, const struct stack *first, const struct stack *tail,
			 uint32_t n, uint32_t from)
{
	struct textbuf b = { .arena = &s->r->scratch };

	textbuf_add(&b, STR("["));
	add_frames(&b, s, first->frame, from);
	for (uint32_t i = 0; i < n; i++) {
		textbuf_add(&b, from || i ? STR(", [") : STR("["));
		add_frames(&b, s, tail[i].frame + from, tail[i].n - from);
		textbuf_add(&b, STR("]"));
	}
	textbuf_add(&b, STR("]"));
	return textbuf_keep(&b, s->r->arena);
}

/* As it is printed, without the inner brackets. */
static struct stack flatten(struct tlstacks *s, const struct stack *first, const struct stack *tail,
			    uint32_t n, uint32_t from)
{
	struct stack out = { from, NULL };

	for (uint32_t i = 0; i < n; i++)
		out.n += tail[i].n - from;
	out.frame = NEW(&s->r->scratch, out.n, uint32_t);
	uint32_t at = from;
	if (from)
		memcpy(out.frame, first->frame, from * sizeof(*out.frame));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t more = tail[i].n - from;
		memcpy(out.frame + at, tail[i].frame + from, more * sizeof(*out.frame));
		at += more;
	}
	return out;
}

/* ---- where the operator is called ---- */

static struct str frame_name(const struct tlstacks *s, const struct stack *k, uint32_t i)
{
	return strings_get(&s->names, k->frame[i]);
}

/* What stands behind the first place of `mark`; the whole if there is none. */
static struct str after(struct str s, struct str mark)
{
	for (size_t i = 0; i + mark.n <= s.n; i++)
		if (!memcmp(s.p + i, mark.p, mark.n))
			return (struct str){ s.p + i + mark.n, s.n - i - mark.n };
	return s;
}

static bool is_code(struct str frame)
{
	return str_contains(frame, STR(".py"));
}

static bool is_wrapper(struct str frame)
{
	static const char *const starts[] = { "<built-in", "pybind11_builtins", "nn.Module:" };
	static const char *const files[] = {
		"torch/_ops.py",
		"torch/nn/modules/module.py",
		"torch/utils/_contextlib.py",
		"torch/utils/_device.py",
		"torch/_tensor.py",
		"torch/functional.py",
		"torch/overrides.py",
		"torch/_inductor/",
		"torch/_functorch/",
		"torch/distributed/c10d_logger.py",
		"triton/backends/",
	};
	static const char *const functions[] = {
		"__torch_function__",
		"_call_impl",
		"_wrapped_call_impl",
		"decorate_context",
		"dispatch_wrapper",
		"handle_torch_function",
		"wrapper",
		"custom_wrapper",
		"wrapper_custom",
		"outer_wrapper",
	};
	struct str function = after(frame, STR("): "));

	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (str_starts(frame, str_of(starts[i])))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (str_contains(frame, str_of(files[i])))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		if (str_eq(function, str_of(functions[i])))
			return true;
	return false;
}

/* The last frame that is the operator; NONE. */
static uint32_t place_of(struct tlstacks *s, const struct stack *k, event_id op)
{
	uint32_t name = shown(s, op);

	for (uint32_t i = k->n; i-- > 0;)
		if (k->frame[i] == name)
			return i;
	return NONE;
}

static const char *entry_of(struct tlstacks *s, const struct stack *k, event_id op)
{
	uint32_t at = place_of(s, k, op);

	if (at == NONE)
		return "Not found";
	struct str local = after(frame_name(s, k, at), STR("::"));
	for (uint32_t i = at + 1; i < k->n; i++) {
		struct str frame = frame_name(s, k, i);
		if (is_code(frame) && str_contains_nocase(after(frame, STR("): ")), local))
			return tlstack_name(s, k->frame[i]);
	}
	for (uint32_t i = at; i-- > 0;)
		if (is_code(frame_name(s, k, i)) && !is_wrapper(frame_name(s, k, i)))
			return tlstack_name(s, k->frame[i]);
	return "Not found";
}

struct tlstack_text tlstack_of_work(struct tlstacks *s, event_id op, const struct tlwork *row,
				    uint32_t n)
{
	struct tlstack_text out = { "Not found", "Not found" };
	struct arena_mark mark = arena_mark(&s->r->scratch);
	struct tlwork work = tlkernels_sorted(s->r, row, n);
	struct stack *at = NEW(&s->r->scratch, work.n, struct stack);

	for (uint32_t i = 0; i < work.n; i++) {
		uint32_t gpu = work.gpu[i];
		at[i] = stack_of(s, s->r->l->launch[gpu], s->r->l->gpu[gpu]);
	}
	if (work.n) {
		struct stack first = at[0];
		uint32_t from = work.n == 1 ? first.n : common(at, work.n);
		uint32_t tails = keep_distinct(at, work.n, from);
		struct stack flat = flatten(s, &first, at, tails, from);

		out.full = print(s, &first, at, tails, from);
		out.entry = entry_of(s, &flat, op);
	}
	arena_rewind(&s->r->scratch, mark);
	return out;
}
