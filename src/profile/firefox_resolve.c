/*
 * What points nowhere is repaired and counted: a caller that is not before its callee is no
 * caller, a name that is not there is "(no name)", a frame or function "(invalid ...)".
 */
#include "profile/firefox_tables.h"
#include "base/alloc.h"

#include <stdlib.h>

static string_id string_at(const struct firefox_tables *t, uint32_t row)
{
	return row < t->strings.n ? t->strings.at[row] : NONE;
}

static uint32_t cell(const struct jstream_ids *c, size_t row)
{
	return row < c->n ? c->at[row] : NONE;
}

static string_id file_of(const struct firefox_tables *t, size_t func)
{
	uint32_t file = cell(&t->func_file, func), source = cell(&t->func_source, func);

	if (file == NONE && source != NONE)
		file = cell(&t->source_name, source);
	if (file == NONE)
		file = cell(&t->resource_name, cell(&t->func_resource, func));
	return string_at(t, file);
}

static func_id *resolve_funcs(struct profile *p, const struct firefox_tables *t)
{
	func_id *ours = alloc_checked(malloc((t->func_name.n + 1) * sizeof(*ours)));
	for (size_t i = 0; i < t->func_name.n; i++) {
		string_id name = string_at(t, t->func_name.at[i]);
		uint32_t line = cell(&t->func_line, i);

		if (name == NONE) {
			profile_odd(p, PROFILE_ODD_INDEX, i);
			name = strings_add(&p->strings, "(no name)", 9);
		}
		ours[i] = functions_add(&p->functions, name, file_of(t, i),
					line == NONE ? 0 : line);
	}
	return ours;
}

/* "name (file:line:column)" of a Gecko frame: two frames of one function differ in its line. */
static func_id location_function(struct profile *p, const struct firefox_tables *t, uint32_t row)
{
	string_id id = string_at(t, row);
	struct str s = id == NONE ? STR("(no name)") : strings_get(&p->strings, id);
	const char *open = memrchr(s.p, '(', s.n), *colon;

	if (!open || open < s.p + 2 || open[-1] != ' ' ||
	    !memchr(open, ')', s.n - (size_t)(open - s.p)))
		return functions_add(&p->functions, strings_add(&p->strings, s.p, s.n), NONE, 0);
	struct str name = { s.p, (size_t)(open - 1 - s.p) };
	struct str file = { open + 1, s.n - name.n - 2 };

	file.n = (size_t)((const char *)memchr(file.p, ')', file.n) - file.p);
	for (int i = 0; i < 2 && (colon = memrchr(file.p, ':', file.n)) &&
			colon + 1 < file.p + file.n && colon[1] >= '0' && colon[1] <= '9';
	     i++)
		file.n = (size_t)(colon - file.p);
	return profile_function_at(p, name, file, 0);
}

static func_id *resolve_frames(struct profile *p, const struct firefox_tables *t,
			       const func_id *funcs)
{
	bool gecko = !t->frame_func.n && t->frame_location.n;
	size_t n = gecko ? t->frame_location.n : t->frame_func.n;
	func_id *ours = alloc_checked(malloc((n + 1) * sizeof(*ours))), invalid = NONE;
	for (size_t i = 0; i < n; i++) {
		uint32_t func = gecko ? 0 : t->frame_func.at[i];

		if (gecko) {
			ours[i] = location_function(p, t, t->frame_location.at[i]);
		} else if (func < t->func_name.n) {
			ours[i] = funcs[func];
		} else {
			if (invalid == NONE)
				invalid = profile_function(p, STR("(invalid function)"));
			profile_odd(p, PROFILE_ODD_INDEX, i);
			ours[i] = invalid;
		}
	}
	return ours;
}

/* Row of the caller of raw stack i; NONE for a root, and for what points nowhere. */
static uint32_t caller(struct profile *p, uint32_t x, bool relative, size_t i)
{
	if (x == NONE || (relative && !x))
		return NONE;
	if (relative ? x <= i : x < i)
		return relative ? (uint32_t)(i - x) : x;
	profile_odd(p, PROFILE_ODD_INDEX, i);
	return NONE;
}

/* The columns become functions and callers, in place. */
static void resolve_columns(struct profile *p, struct firefox_tables *t, const func_id *frames,
			    size_t nframes)
{
	struct jstream_ids *up = t->stack_offset.n ? &t->stack_offset : &t->stack_prefix;
	func_id invalid = NONE;

	while (up->n < t->stack_frame.n)
		jstream_push_id(up, NONE);
	for (size_t i = 0; i < t->stack_frame.n; i++) {
		uint32_t frame = t->stack_frame.at[i];

		up->at[i] = caller(p, up->at[i], up == &t->stack_offset, i);
		if (frame >= nframes) {
			if (invalid == NONE)
				invalid = profile_function(p, STR("(invalid frame)"));
			profile_odd(p, PROFILE_ODD_INDEX, i);
		}
		t->stack_frame.at[i] = frame < nframes ? frames[frame] : invalid;
	}
	t->nstacks = t->stack_frame.n;
}

static uint32_t *cut_to(uint32_t *column, size_t n)
{
	column = alloc_checked(realloc(column, MAX_OF(n, 1) * sizeof(*column)));
	return column;
}

/* The first ones are taken as they are: equal rows become one when the profile is finished. */
static void take_stacks(struct profile *p, struct firefox_tables *t)
{
	struct jstream_ids *up = t->stack_offset.n ? &t->stack_offset : &t->stack_prefix;

	stacks_free(&p->stacks);
	p->stacks = (struct stacks){ .n = (uint32_t)t->nstacks,
				     .cap = (uint32_t)t->nstacks,
				     .prefix = cut_to(up->at, t->nstacks),
				     .func = cut_to(t->stack_frame.at, t->nstacks) };
	*up = t->stack_frame = (struct jstream_ids){ 0 };
}

static void add_stacks(struct profile *p, struct firefox_tables *t)
{
	const uint32_t *up = t->stack_offset.n ? t->stack_offset.at : t->stack_prefix.at;
	uint32_t *ours = t->stack_frame.at;

	stacks_reserve(&p->stacks, p->stacks.n + (uint32_t)t->nstacks);
	for (size_t i = 0; i < t->nstacks; i++)
		ours[i] = stacks_add(&p->stacks, up[i] == NONE ? NONE : ours[up[i]], ours[i]);
	t->stacks = ours;
	t->stack_frame = (struct jstream_ids){ 0 };
}

void firefox_tables_resolve(struct firefox_tables *t, struct profile *p)
{
	func_id *funcs = resolve_funcs(p, t);
	func_id *frames = resolve_frames(p, t, funcs);

	resolve_columns(p, t, frames, t->frame_func.n ? t->frame_func.n : t->frame_location.n);
	free(funcs);
	free(frames);
	if (p->stacks.n || !t->nstacks)
		add_stacks(p, t);
	else
		take_stacks(p, t);
}
