/*
 * What points nowhere is repaired and counted: a caller that is not before its callee is no
 * caller, a name that is not there is "(no name)", a frame or function "(invalid ...)".
 */
#include "profile/firefox_tables.h"
#include "base/alloc.h"

#include <stdlib.h>

static uint32_t cell(const struct narrow *c, size_t row)
{
	return row < c->n ? narrow_get(c, row) - 1 : NONE;
}

static string_id string_at(const struct firefox_tables *t, uint32_t row)
{
	return cell(&t->strings, row);
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
	func_id *ours = alloc_array(t->func_name.n + 1, sizeof(*ours));

	functions_reserve(&p->functions, p->functions.n + (uint32_t)t->func_name.n + 2);
	for (size_t i = 0; i < t->func_name.n; i++) {
		string_id name = string_at(t, cell(&t->func_name, i));
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
	func_id *ours = alloc_array(n + 1, sizeof(*ours)), invalid = NONE;
	for (size_t i = 0; i < n; i++) {
		uint32_t func = gecko ? 0 : cell(&t->frame_func, i);

		if (gecko) {
			ours[i] = location_function(p, t, cell(&t->frame_location, i));
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

/* How far back the caller of raw stack i is; 0 for a root, and for what points nowhere. */
static uint32_t back(struct profile *p, uint32_t x, bool relative, size_t i)
{
	if (x == NONE || (relative && !x))
		return 0;
	if (relative ? x <= i : x < i)
		return relative ? x : (uint32_t)(i - x);
	profile_odd(p, PROFILE_ODD_INDEX, i);
	return 0;
}

/* The columns become functions and callers, in place. */
static void resolve_columns(struct profile *p, struct firefox_tables *t, const func_id *frames,
			    size_t nframes)
{
	struct narrow *up = t->stack_offset.n ? &t->stack_offset : &t->stack_prefix;
	struct narrow *func = &t->stack_frame;
	func_id invalid = NONE;

	narrow_extend(up, func->n);
	for (size_t i = 0; i < func->n; i++) {
		uint32_t frame = cell(func, i);

		narrow_set(up, i, back(p, cell(up, i), up == &t->stack_offset, i));
		if (frame >= nframes) {
			if (invalid == NONE)
				invalid = profile_function(p, STR("(invalid frame)"));
			profile_odd(p, PROFILE_ODD_INDEX, i);
		}
		narrow_set(func, i, frame < nframes ? frames[frame] : invalid);
	}
	t->nstacks = func->n;
	narrow_trim(up);
	narrow_trim(func);
	t->raw = (struct counted){ .up = *up, .func = *func };
	*up = *func = (struct narrow){ 0 };
}

void firefox_tables_resolve(struct firefox_tables *t, struct profile *p)
{
	if (t->resolved)
		return;
	func_id *funcs = resolve_funcs(p, t);
	func_id *frames = resolve_frames(p, t, funcs);

	free(funcs);
	resolve_columns(p, t, frames, t->frame_func.n ? t->frame_func.n : t->frame_location.n);
	free(frames);
	firefox_tables_free_columns(t);
	t->resolved = true;
}

/* Stacks of further tables: equal ones are one. */
static void add_stacks(struct profile *p, struct firefox_tables *t)
{
	t->stacks = alloc_array(t->nstacks, sizeof(*t->stacks));
	stacks_reserve(&p->stacks, p->stacks.n + (uint32_t)t->nstacks);
	for (stack_id i = 0; i < t->nstacks; i++) {
		stack_id up = counted_caller(&t->raw, i);

		t->stacks[i] = stacks_add(&p->stacks, up == NONE ? NONE : t->stacks[up],
					  narrow_get(&t->raw.func, i));
	}
	counted_free(&t->raw);
}

/* The first ones are taken as they are: equal rows become one when the profile is finished. */
void firefox_tables_take(struct firefox_tables *t, struct profile *p)
{
	firefox_tables_resolve(t, p);
	if (p->stacks.n || !t->nstacks) {
		add_stacks(p, t);
		return;
	}
	stacks_free(&p->stacks); /* tables without stacks may have been before */
	p->stacks = counted_to_stacks(&t->raw);
}
