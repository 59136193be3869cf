#include "analysis/compare/compare.h"

#include "analysis/compare/compare_side.h"

const char *compare_keep(struct compare *c, const char *text)
{
	uint32_t before = c->kept.n;
	string_id id = strings_add(&c->kept, text, strlen(text));

	if (c->kept.n > before) {
		column_reserve(&c->kept_at, c->kept.n * sizeof(char *));
		((const char **)c->kept_at.at)[id] = arena_text(c->arena, text, strlen(text));
	}
	return ((const char *const *)c->kept_at.at)[id];
}

bool compare_run(struct compare *c, struct lp_error *err)
{
	if (!compare_sheets(c, err))
		return false;
	compare_say(c);
	return true;
}

void compare_begin(struct compare *c, const char *const *paths, uint32_t n)
{
	c->nsides = n;
	c->a = answer_new();
	c->arena = answer_arena(c->a);
	c->side = NEW(&c->scratch, n, struct compare_side);
	for (uint32_t i = 0; i < n; i++)
		c->side[i].path = paths[i];
}

void compare_end(struct compare *c)
{
	for (uint32_t i = 0; i < c->nsides; i++)
		workbook_free(&c->side[i].book);
	column_free(&c->kept_at);
	strings_free(&c->kept);
	arena_free(&c->scratch);
}

struct lp_answer *lp_compare(const char *const *paths, unsigned n, struct lp_compare_options o,
			     struct lp_error *err)
{
	struct compare c = { .style = o.style };

	if (n < 2) {
		error_set(err, "a comparison needs two reports or more");
		return NULL;
	}
	compare_begin(&c, paths, n);
	bool whole = compare_name_sides(&c, o.names, o.nnames, err) &&
		     compare_side_read_all(&c, o, err) && compare_run(&c, err);
	compare_end(&c);
	if (whole)
		return c.a;
	lp_answer_free(c.a);
	return NULL;
}
