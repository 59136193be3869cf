/*
 * Each rule says, going through stacks in preorder, which new stack a stack becomes, given
 * what its caller has become: so one pass each, and no recursion. Whatever a rule has to know
 * of the path so far is one value per stack.
 */
#include "analysis/tree_transform.h"
#include "base/alloc.h"

#include <stdlib.h>

struct pass {
	const struct stacks *from;
	const uint8_t *match;
	struct stacks to;
	stack_id *become; /* NONE: nothing is left of it */
	uint8_t *inside;  /* it, or something above it, matched */
	uint32_t *depth;  /* collapse recursion: of each new stack */
	stack_id *path;   /* collapse recursion: the new stack at hand, by depth; len of them */
	uint32_t *level;  /* collapse recursion: where in path[] a function was put last */
	uint32_t len;
};

static bool matches(const struct pass *p, stack_id s)
{
	return p->match[p->from->func[s]];
}

static stack_id caller_of(const struct pass *p, stack_id s)
{
	stack_id up = p->from->prefix[s];

	return up == NONE ? NONE : p->become[up];
}

static bool inside_before(const struct pass *p, stack_id s)
{
	stack_id up = p->from->prefix[s];

	return up != NONE && p->inside[up];
}

static stack_id added(struct pass *p, stack_id caller, stack_id s)
{
	return stacks_add(&p->to, caller, p->from->func[s]);
}

static stack_id merge(struct pass *p, stack_id s)
{
	return matches(p, s) ? caller_of(p, s) : added(p, caller_of(p, s), s);
}

static stack_id drop(struct pass *p, stack_id s)
{
	return p->inside[s] ? NONE : added(p, caller_of(p, s), s);
}

static stack_id focus(struct pass *p, stack_id s)
{
	return p->inside[s] ? added(p, caller_of(p, s), s) : NONE;
}

static stack_id focus_self(struct pass *p, stack_id s)
{
	return matches(p, s) ? added(p, NONE, s) : NONE;
}

static stack_id collapse_direct(struct pass *p, stack_id s)
{
	stack_id up = p->from->prefix[s];
	bool same = up != NONE && p->from->func[up] == p->from->func[s];

	return same && matches(p, s) ? p->become[up] : added(p, caller_of(p, s), s);
}

static stack_id collapse_subtree(struct pass *p, stack_id s)
{
	return inside_before(p, s) ? caller_of(p, s) : added(p, caller_of(p, s), s);
}

/* Makes path[] that of the new stack q: climbs until it is what is already there. */
static void follow(struct pass *p, stack_id q)
{
	uint32_t len = q == NONE ? 0 : p->depth[q] + 1;

	for (uint32_t d = len; d-- > 0; q = p->to.prefix[q]) {
		if (d < p->len && p->path[d] == q)
			break;
		p->path[d] = q;
		p->level[p->to.func[q]] = d;
	}
	p->len = len;
}

static stack_id collapse_recursion(struct pass *p, stack_id s)
{
	stack_id up = caller_of(p, s), made;
	func_id f = p->from->func[s];
	uint32_t n = p->to.n;

	if (p->match[f]) {
		follow(p, up);
		uint32_t d = p->level[f];

		if (d < p->len && p->to.func[p->path[d]] == f)
			return p->path[d];
	}
	made = added(p, up, s);
	if (p->to.n > n)
		p->depth[made] = up == NONE ? 0 : p->depth[up] + 1;
	return made;
}

static stack_id (*const rules[])(struct pass *, stack_id) = {
	[LP_MERGE] = merge,
	[LP_DROP] = drop,
	[LP_FOCUS] = focus,
	[LP_FOCUS_SELF] = focus_self,
	[LP_COLLAPSE_RECURSION] = collapse_recursion,
	[LP_COLLAPSE_DIRECT] = collapse_direct,
	[LP_COLLAPSE_SUBTREE] = collapse_subtree,
};

/* What the profile's stacks become, over what they had become before. */
static stack_id *compose(const struct calltree *ct, const stack_id *become, const stack_id *place)
{
	uint32_t n = ct->p->stacks.n;
	stack_id *map = alloc_zeroed(n, sizeof(*map));

	for (stack_id s = 0; s < n; s++) {
		stack_id mid = calltree_stack(ct, s);
		stack_id to = mid == NONE ? NONE : become[mid];

		map[s] = to == NONE ? NONE : place[to];
	}
	return map;
}

void tree_transform(struct calltree *ct, enum lp_transform_kind kind, const uint8_t *match)
{
	uint32_t n = ct->st.n;
	struct pass p = {
		.from = &ct->st,
		.match = match,
		.become = alloc_zeroed(n, sizeof(*p.become)),
		.inside = alloc_zeroed(n, sizeof(*p.inside)),
		.depth = alloc_zeroed(n, sizeof(*p.depth)),
		.path = alloc_zeroed(n, sizeof(*p.path)),
		.level = alloc_zeroed(ct->p->functions.n, sizeof(*p.level)),
	};

	stacks_reserve(&p.to, n);
	for (stack_id s = 0; s < n; s++) {
		p.inside[s] = inside_before(&p, s) || matches(&p, s);
		p.become[s] = rules[kind](&p, s);
	}
	stack_id *place = stacks_sort(&p.to, ct->p->functions.n);
	stack_id *map = compose(ct, p.become, place);
	const struct profile *profile = ct->p;

	calltree_free(ct);
	*ct = (struct calltree){ .p = profile, .st = p.to, .owned = true, .map = map };
	free(place);
	free(p.become);
	free(p.inside);
	free(p.depth);
	free(p.path);
	free(p.level);
}
