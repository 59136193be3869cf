/*
 * A shape is a template: literal text with numbers in it. Reading a name is one pass
 * over template and name; only "key=value" lists are searched, key by key.
 */
#include "analysis/split_marker.h"

#include "base/error.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum field {
	SKIP,
	C_REQUESTS,
	G_REQUESTS,
	C_SUM,
	G_SUM,
	C_SQ,
	C_SK,
	C_SQSQ,
	C_SQSK,
	G_SQ,
	G_SK,
	G_SQSQ,
	G_SQSK,
	BATCH,
	WIDTH,
	HEIGHT,
	FIELDS
};

/* In templates '%' stands for a number; fields[] says where each goes. */
struct shape {
	const char *text;
	enum marker_tier tier;
	bool has_sqsk;
	enum field fields[13];
};

static const struct shape shapes[] = {
	{ "execute_%_context_%(sq%sk%sqsq%sqsk%)_generation_%(sq%sk%sqsq%sqsk%)",
	  MARKER_DETAILED,
	  true,
	  { SKIP, C_REQUESTS, C_SQ, C_SK, C_SQSQ, C_SQSK, G_REQUESTS, G_SQ, G_SK, G_SQSQ,
	    G_SQSK } },
	{ "execute_context_%(%)_generation_%(%)",
	  MARKER_NATIVE,
	  false,
	  { C_REQUESTS, C_SQ, G_REQUESTS, G_SQ } },
	{ "execute_diffusion_%_%x%", MARKER_NATIVE, false, { BATCH, WIDTH, HEIGHT } },
	{ "ProfilerStep#%", MARKER_PROFILER_STEP, false, { SKIP } },
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads digits at *i; saturates instead of overflowing. */
static bool read_number(struct str s, size_t *i, int64_t *out)
{
	int64_t v = 0;
	size_t from = *i;

	for (; *i < s.n && is_digit(s.p[*i]); (*i)++)
		if (__builtin_mul_overflow(v, (int64_t)10, &v) ||
		    __builtin_add_overflow(v, (int64_t)(s.p[*i] - '0'), &v))
			v = INT64_MAX / 16;
	*out = v;
	return *i > from;
}

static bool match_shape(struct str name, const struct shape *shape, int64_t *value)
{
	size_t i = 0;
	unsigned field = 0;

	for (const char *t = shape->text; *t; t++) {
		if (*t == '%') {
			if (!read_number(name, &i, &value[shape->fields[field++]]))
				return false;
		} else if (i >= name.n || name.p[i++] != *t) {
			return false;
		}
	}
	return true;
}

static void from_values(struct step_info *s, const int64_t *v)
{
	*s = (struct step_info){
		.tier = s->tier,
		.has_sqsk = s->has_sqsk,
		.context_requests = v[C_REQUESTS],
		.generation_requests = v[G_REQUESTS],
		.c_sq = v[C_SQ],
		.c_sk = v[C_SK],
		.c_sqsq = v[C_SQSQ],
		.c_sqsk = v[C_SQSK],
		.g_sq = v[G_SQ],
		.g_sk = v[G_SK],
		.g_sqsq = v[G_SQSQ],
		.g_sqsk = v[G_SQSK],
		.context_sum = v[C_SQ],
		.generation_sum = v[G_SQ],
		.width = v[WIDTH],
		.height = v[HEIGHT],
		.batch_size = v[BATCH] ? v[BATCH] : v[C_SQ] + v[G_SQ],
	};
}

/*
 * key=NUMBER in a list of "key=value" pairs: the key stands at the start or after a
 * space, comma or bracket. A value may begin with a list: `ctx=[1,2]...+3`.
 */
static bool find_key(struct str list, const char *key, int64_t *out)
{
	size_t n = strlen(key);

	for (size_t i = 0; i + n < list.n; i++) {
		bool begins = i == 0 || strchr(" ,[(", list.p[i - 1]);
		size_t at = i + n + 1;

		if (begins && list.p[i + n] == '=' && !memcmp(list.p + i, key, n))
			return read_number(list, &at, out);
	}
	*out = 0;
	return false;
}

/* The text between the first '[' and the last ']'. */
static struct str bracketed(struct str name)
{
	const char *open = memchr(name.p, '[', name.n), *close = memrchr(name.p, ']', name.n);

	if (!open || !close || close < open)
		return (struct str){ NULL, 0 };
	return (struct str){ open + 1, (size_t)(close - open - 1) };
}

static bool word_is(struct str s, const char *word)
{
	size_t n = strlen(word);

	return s.n >= n && !strncasecmp(s.p, word, n) &&
	       (s.n == n ||
		!(is_digit(s.p[n]) || s.p[n] == '_' || (unsigned)((s.p[n] | 32) - 'a') < 26u));
}

/* step[EXTEND|DECODE|MIXED|IDLE bs=N toks=N c_sq=N ...] */
static bool read_sglang(struct str name, struct step_info *s)
{
	struct str list = bracketed(name);
	int64_t bs, toks, c, g;

	if (!str_starts(name, STR("step[")) || !list.p)
		return false;
	bool decode = word_is(list, "DECODE"), extend = word_is(list, "EXTEND");
	bool mixed = word_is(list, "MIXED"), idle = word_is(list, "IDLE");
	bool c_sqsq = find_key(list, "c_sqsq", &s->c_sqsq);
	bool g_sqsq = find_key(list, "g_sqsq", &s->g_sqsq);
	bool sqsq = c_sqsq || g_sqsq || find_key(list, "sqsq", &c);
	if (!decode && !extend && !mixed && !idle)
		return false;
	bool has_bs = find_key(list, "bs", &bs);
	if (!sqsq && !has_bs && !idle)
		return false;
	find_key(list, "toks", &toks);
	s->tier = sqsq ? MARKER_DETAILED : MARKER_NATIVE;
	if (sqsq) {
		find_key(list, "c_sq", &s->c_sq);
		find_key(list, "c_sk", &s->c_sk);
		find_key(list, "g_sq", &s->g_sq);
		find_key(list, "g_sk", &s->g_sk);
		bool c_sqsk = find_key(list, "c_sqsk", &s->c_sqsk);
		bool g_sqsk = find_key(list, "g_sqsk", &s->g_sqsk);
		s->has_sqsk = c_sqsk || g_sqsk;
	} else if (decode) {
		s->g_sq = bs;
	} else if (!idle) {
		s->c_sq = toks;
	}
	find_key(list, "c", &c);
	find_key(list, "g", &g);
	s->context_requests = extend ? bs : mixed ? (sqsq ? c : bs) : 0;
	s->generation_requests = decode ? bs : mixed && sqsq ? g : 0;
	s->context_sum = decode || idle ? 0 : s->c_sq;
	s->generation_sum = decode || (mixed && sqsq) ? s->g_sq : 0;
	s->batch_size = s->c_sq + s->g_sq ? s->c_sq + s->g_sq : sqsq && toks ? toks : bs;
	return true;
}

/* prefill[bs=N tok=N ctx=[..] sqsq=N ...], decode[bs=117/128 tok=N ...] */
static bool read_atom(struct str name, struct step_info *s)
{
	bool prefill = str_starts(name, STR("prefill[")), decode = str_starts(name, STR("decode["));
	struct str list = bracketed(name);
	int64_t bs, tok, sk, sqsq, sqsk;

	if (!(prefill || decode) || !list.p)
		return false;
	find_key(list, "bs", &bs);
	find_key(list, "tok", &tok);
	find_key(list, "sk", &sk);
	bool squares = find_key(list, "sqsq", &sqsq), products = find_key(list, "sqsk", &sqsk);
	s->tier = squares ? MARKER_DETAILED : MARKER_NATIVE;
	s->has_sqsk = squares && products;
	s->batch_size = tok;
	if (prefill) {
		s->context_requests = bs;
		s->context_sum = s->c_sq = tok;
		s->c_sk = sk, s->c_sqsq = sqsq, s->c_sqsk = sqsk;
	} else {
		s->generation_requests = bs;
		s->generation_sum = s->g_sq = tok;
		s->g_sk = sk, s->g_sqsq = sqsq, s->g_sqsk = sqsk;
	}
	return true;
}

struct marker_set {
	unsigned n;
	regex_t *at;
};

/* Interned names end with a NUL, which regexec needs. */
static bool user_matches(const struct marker_set *user, struct str name)
{
	for (unsigned i = 0; user && i < user->n; i++)
		if (!regexec(&user->at[i], name.p, 0, NULL, 0))
			return true;
	return false;
}

struct step_info marker_read(struct str name, const struct marker_set *user)
{
	struct step_info s = { 0 };

	if (user_matches(user, name))
		return (struct step_info){ .tier = MARKER_USER,
					   .batch_size = 1,
					   .generation_requests = 1,
					   .generation_sum = 1 };
	for (unsigned i = 0; i < ARRAY_SIZE(shapes); i++) {
		int64_t value[FIELDS] = { 0 };

		if (match_shape(name, &shapes[i], value)) {
			s.tier = shapes[i].tier;
			s.has_sqsk = shapes[i].has_sqsk;
			from_values(&s, value);
			return s;
		}
	}
	if (read_sglang(name, &s) || read_atom(name, &s))
		return s;
	return (struct step_info){ .batch_size = 1, .generation_requests = 1, .generation_sum = 1 };
}

enum step_phase step_phase_of(const struct step_info *s)
{
	bool context = s->context_requests > 0, generation = s->generation_requests > 0;

	return context ? (generation ? PHASE_MIXED : PHASE_PREFILL)
		       : (generation ? PHASE_DECODE : PHASE_IDLE);
}

const char *step_phase_name(enum step_phase p)
{
	static const char *const names[] = { "idle", "prefill", "mixed", "decode" };

	return names[p];
}

struct str marker_skeleton(struct arena *a, struct str name)
{
	char *out = arena_alloc(a, name.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < name.n; i++)
		if (!is_digit(name.p[i]))
			out[n++] = name.p[i];
		else if (i == 0 || !is_digit(name.p[i - 1]))
			out[n++] = '#';
	return (struct str){ out, n };
}

struct marker_set *marker_set_new(const char *const *patterns, unsigned n, struct lp_error *err)
{
	struct marker_set *m = calloc(1, sizeof(*m));

	if (!m || !(m->at = calloc(n + 1, sizeof(*m->at))))
		abort();
	for (; m->n < n; m->n++) {
		int code = regcomp(&m->at[m->n], patterns[m->n], REG_EXTENDED);

		if (code) {
			char why[128];

			regerror(code, &m->at[m->n], why, sizeof(why));
			error_set(err, "--marker '%s': %s", patterns[m->n], why);
			marker_set_free(m);
			return NULL;
		}
	}
	return m;
}

void marker_set_free(struct marker_set *m)
{
	if (!m)
		return;
	for (unsigned i = 0; i < m->n; i++)
		regfree(&m->at[i]);
	free(m->at);
	free(m);
}
