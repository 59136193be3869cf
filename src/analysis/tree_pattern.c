#include "analysis/tree_pattern.h"

#include "base/say.h"
#include "base/alloc.h"

#include <regex.h>
#include <stdlib.h>

#define TERMS_MAX 64

static uint8_t *flags(size_t n)
{
	uint8_t *f = alloc_checked(calloc(MAX_OF(n, 1), 1));
	return f;
}

static bool compile(regex_t *re, const char *text, int extra, struct lp_error *err)
{
	char why[128];
	int code = regcomp(re, text, REG_EXTENDED | extra);

	if (!code)
		return true;
	regerror(code, re, why, sizeof(why));
	return error_set(err, "'%.100s' is no regular expression: %s", text, why);
}

/* Interned names end with a NUL, which regexec needs. */
static bool finds(const regex_t *re, struct str s)
{
	return !regexec(re, s.p, 0, NULL, 0);
}

static uint32_t exact(const struct profile *p, const char *name, uint8_t *match)
{
	string_id id = strings_find(&p->strings, str_of(name));
	uint32_t n = 0;

	for (func_id f = 0; id != NONE && f < p->functions.n; f++)
		if (p->functions.at[f].name == id) {
			match[f] = 1;
			n++;
		}
	return n;
}

uint8_t *pattern_functions(const struct profile *p, const char *pattern, struct lp_error *err)
{
	uint8_t *match = flags(p->functions.n);
	uint32_t n = exact(p, pattern, match);
	regex_t re;

	if (n)
		return match;
	if (!compile(&re, pattern, 0, err)) {
		free(match);
		return NULL;
	}
	for (func_id f = 0; f < p->functions.n; f++)
		n += match[f] = finds(&re, profile_name(p, f));
	regfree(&re);
	if (n)
		return match;
	free(match);
	error_set(err, "no function of %s is named or matches '%.200s'", p->path, pattern);
	return NULL;
}

bool pattern_function(const struct profile *p, const char *pattern, func_id *out,
		      struct lp_error *err)
{
	uint8_t *match = pattern_functions(p, pattern, err);
	uint32_t n = 0;

	if (!match)
		return false;
	for (func_id f = p->functions.n; f-- > 0;)
		if (match[f]) {
			*out = f;
			n++;
		}
	bool same = true;
	for (func_id f = *out; f < p->functions.n; f++)
		same &= !match[f] || p->functions.at[f].name == p->functions.at[*out].name;
	free(match);
	if (same)
		return true;
	struct str name = profile_name(p, *out);
	return error_set(err, "'%.100s' matches %u functions, '%.*s' is one; name it in full",
			 pattern, n, (int)MIN_OF(name.n, 150), name.p);
}

/* ---- Search ---- */

struct term {
	struct str text;
	regex_t re;
	bool is_re;
};

static bool term_matches(const struct term *t, const struct profile *p, func_id f)
{
	string_id file = p->functions.at[f].file;
	struct str name = profile_name(p, f),
		   path = file == NONE ? STR("") : strings_get(&p->strings, file);

	if (t->is_re)
		return finds(&t->re, name) || finds(&t->re, path);
	return str_contains_nocase(name, t->text) || str_contains_nocase(path, t->text);
}

/* A bit per term of each function, passed on from callers to callees. */
static uint8_t *stacks_with_all(const struct calltree *ct, const struct term *terms, unsigned n)
{
	uint32_t nfuncs = ct->p->functions.n;
	uint64_t *func = alloc_checked(calloc(MAX_OF(nfuncs, 1), sizeof(*func)));
	uint64_t *has = alloc_checked(calloc(MAX_OF(ct->st.n, 1), sizeof(*has)));
	uint64_t all = n == TERMS_MAX ? UINT64_MAX : ((uint64_t)1 << n) - 1;
	uint8_t *keep = flags(ct->st.n);
	for (func_id f = 0; f < nfuncs; f++)
		for (unsigned i = 0; i < n; i++)
			func[f] |= (uint64_t)term_matches(&terms[i], ct->p, f) << i;
	for (stack_id s = 0; s < ct->st.n; s++) {
		stack_id up = ct->st.prefix[s];

		has[s] = func[ct->st.func[s]] | (up == NONE ? 0 : has[up]);
		keep[s] = has[s] == all;
	}
	free(func);
	free(has);
	return keep;
}

static bool add_term(struct term *terms, unsigned *n, char *text, struct lp_error *err)
{
	size_t len = strlen(text);

	if (!len)
		return true;
	if (*n == TERMS_MAX)
		return error_set(err, "more than %d terms to search for", TERMS_MAX);
	struct term *t = &terms[*n];

	*t = (struct term){ .text = { text, len } };
	if (len > 2 && text[0] == '/' && text[len - 1] == '/') {
		text[len - 1] = 0;
		if (!compile(&t->re, text + 1, REG_ICASE, err))
			return false;
		t->is_re = true;
	}
	++*n;
	return true;
}

/* The comma-separated terms of one option; a comma inside slashes is none. */
static bool add_terms(struct term *terms, unsigned *n, char *text, struct lp_error *err)
{
	char *from = text, *p;

	for (p = text; *p; p++) {
		if (*p == '/' && p == from) {
			char *close = strchr(p + 1, '/');

			while (close && close[1] && close[1] != ',')
				close = strchr(close + 1, '/');
			p = close ? close : p;
		} else if (*p == ',') {
			*p = 0;
			if (!add_term(terms, n, from, err))
				return false;
			from = p + 1;
		}
	}
	return add_term(terms, n, from, err);
}

uint8_t *pattern_search(const struct calltree *ct, const char *const *given, unsigned ngiven,
			struct lp_error *err)
{
	struct term *terms = alloc_checked(calloc(TERMS_MAX, sizeof(*terms)));
	struct arena texts = { 0 };
	uint8_t *keep = NULL;
	unsigned n = 0;
	bool ok = true;
	for (unsigned i = 0; i < ngiven && ok; i++)
		ok = add_terms(terms, &n, arena_text(&texts, given[i], strlen(given[i])), err);
	if (ok)
		keep = stacks_with_all(ct, terms, n);
	for (unsigned i = 0; i < n; i++)
		if (terms[i].is_re)
			regfree(&terms[i].re);
	free(terms);
	arena_free(&texts);
	return keep;
}
