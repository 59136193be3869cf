#include "analysis/diff_name.h"

#include "algo/sort.h"
#include "base/hash.h"

#include <ctype.h>

/* Calls that do the same on another vendor's runtime, or through another of its doors. */
static const struct {
	const char *name, *token;
} equivalents[] = {
	{ "cudaLaunchKernel", "(kernel launch)" },
	{ "cudaLaunchKernelExC", "(kernel launch)" },
	{ "cuLaunchKernel", "(kernel launch)" },
	{ "cuLaunchKernelEx", "(kernel launch)" },
	{ "hipLaunchKernel", "(kernel launch)" },
	{ "hipExtLaunchKernel", "(kernel launch)" },
	{ "hipModuleLaunchKernel", "(kernel launch)" },
	{ "hipExtModuleLaunchKernel", "(kernel launch)" },
	{ "cudaMemcpyAsync", "(copy)" },
	{ "hipMemcpyAsync", "(copy)" },
	{ "hipMemcpyWithStream", "(copy)" },
	{ "cudaMemsetAsync", "(set)" },
	{ "hipMemsetAsync", "(set)" },
	{ "cudaGraphLaunch", "(graph launch)" },
	{ "hipGraphLaunch", "(graph launch)" },
};

static struct str equivalent(struct str name, enum diff_style style)
{
	if (style == DIFF_TRACELENS) {
		bool known = str_eq(name, STR("hipModuleLaunchKernel")) ||
			     str_eq(name, STR("cuLaunchKernel"));

		return known ? STR("__kernel_launch__") : name;
	}
	for (size_t i = 0; i < ARRAY_SIZE(equivalents); i++)
		if (str_eq(name, str_of(equivalents[i].name)))
			return str_of(equivalents[i].token);
	return name;
}

/* Length of "0x" and hex digits at p, 0 if there is no such thing. */
static size_t address(const char *p, const char *end)
{
	const char *q = p + 2;

	if (end - p < 3 || p[0] != '0' || p[1] != 'x')
		return 0;
	while (q < end && isxdigit((unsigned char)*q))
		q++;
	return q == p + 2 ? 0 : (size_t)(q - p);
}

/* Length of ".py(12):" at p, 0 if there is no such thing. */
static size_t source_line(const char *p, const char *end)
{
	const char *q = p + 4;

	if (end - p < 7 || memcmp(p, ".py(", 4))
		return 0;
	while (q < end && isdigit((unsigned char)*q))
		q++;
	return q > p + 4 && end - q >= 2 && q[0] == ')' && q[1] == ':' ? (size_t)(q + 2 - p) : 0;
}

static size_t put(char *to, size_t n, const char *text, size_t len)
{
	memcpy(to + n, text, len);
	return n + len;
}

struct str diff_normal(struct str raw, struct arena *a)
{
	if (!str_contains(raw, STR("0x")) && !str_contains(raw, STR(".py(")))
		return raw;

	const char *end = raw.p + raw.n;
	char *to = arena_alloc(a, 2 * raw.n + 1); /* "0x1" grows to "0xXXXX" */
	size_t n = 0, skip;

	for (const char *p = raw.p; p < end;) {
		if ((skip = address(p, end)))
			n = put(to, n, "0xXXXX", 6);
		else if ((skip = source_line(p, end)))
			n = put(to, n, ".py:", 4);
		else
			n = put(to, n, p, skip = 1);
		p += skip;
	}
	return (struct str){ to, n };
}

/* Cuts `:\s+\S+` off the end. */
static struct str cut_detail(struct str s)
{
	size_t word = s.n, space;

	while (word && !isspace((unsigned char)s.p[word - 1]))
		word--;
	for (space = word; space && isspace((unsigned char)s.p[space - 1]);)
		space--;
	bool detail = word < s.n && space < word && space && s.p[space - 1] == ':';
	return detail ? (struct str){ s.p, space - 1 } : s;
}

struct str diff_bare(struct str normal)
{
	struct str s = cut_detail(normal);

	if (!str_ends(s, STR(".py")))
		return s;
	for (size_t i = s.n; i-- > 0;)
		if (s.p[i] == '/' && s.n - i > STR("/.py").n)
			return (struct str){ s.p + i + 1, s.n - i - 1 };
		else if (s.p[i] == '/')
			break;
	return s;
}

uint32_t diff_names_add(struct diff_names *names, struct str raw)
{
	struct arena_mark mark = arena_mark(&names->arena);
	struct str s = equivalent(diff_normal(raw, &names->arena), names->style);
	uint32_t id = strings_add(&names->strings, s.p, s.n);

	arena_rewind(&names->arena, mark);
	return id;
}

static bool bytes_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct strings *s = ctx;

	return str_cmp(s->at[a], s->at[b]) < 0;
}

/* Frames of one file are alike when only a detail differs; other names keep theirs. */
static struct str bare_of(const struct diff_names *names, struct str text)
{
	bool frame = str_contains(text, STR(".py"));

	return names->style == DIFF_TRACELENS || frame ? diff_bare(text) : text;
}

void diff_names_rank(struct diff_names *names)
{
	struct strings *s = &names->strings;
	struct arena *a = &names->arena;
	uint32_t plain = s->n;

	for (uint32_t i = 0; i < plain; i++) {
		struct str bare = bare_of(names, s->at[i]);

		strings_add(s, bare.p, bare.n);
	}
	uint32_t n = names->n = s->n, *order = NEW(a, n, uint32_t);

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	sort_ids(order, n, NEW(a, n, uint32_t), bytes_before, s);
	names->rank = NEW(a, n, uint32_t);
	names->text = NEW(a, n, struct str);
	names->hash = NEW(a, n, uint64_t);
	names->bare = NEW(a, n, uint32_t);
	for (uint32_t r = 0; r < n; r++) {
		names->rank[order[r]] = r;
		names->text[r] = s->at[order[r]];
		names->hash[r] = hash_u64(s->hash[order[r]]);
	}
	for (uint32_t r = 0; r < n; r++) {
		string_id bare = strings_find(s, bare_of(names, names->text[r]));

		names->bare[r] = bare == NONE ? r : names->rank[bare];
	}
}

void diff_names_free(struct diff_names *names)
{
	strings_free(&names->strings);
	arena_free(&names->arena);
}
