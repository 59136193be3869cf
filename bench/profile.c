/*
 * profile.c - makes up a sampled profile, as Firefox Profiler keeps them, packed, on stdout.
 *
 *	profile SAMPLES STACKS DEPTH BURST
 *
 * A program is a random call graph over FUNCTIONS functions, few of them called from nearly
 * everywhere, some in circles. A thread walks through it: a sample either goes a few frames
 * back and then down to a new stack, at most BURST frames at a time, or is one seen before,
 * an old one rather than a new one. So there are about STACKS different ones at the end,
 * most of them some fifty frames deep and some up to DEPTH.
 */
#include "base/gzout.h"
#include "base/out.h"
#include "base/str.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS   20000
#define CALLEES_MAX 24
#define FRAMES_MAX  6 /* call sites of one function */
#define RECENT      512

struct maker {
	uint64_t random;
	uint32_t nsamples, want, depth, burst;
	uint32_t *frame_func, first_frame[FUNCTIONS + 1], nframes;
	uint32_t callee[FUNCTIONS][CALLEES_MAX];
	uint8_t ncallees[FUNCTIONS];
	uint32_t *prefix, *frame, *deep, n, cap; /* stacks */
	uint32_t *slots, nslots;
	uint32_t *sample;
	uint32_t recent[RECENT], nrecent;
};

static double chance(struct maker *m)
{
	uint64_t z = m->random += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (double)((z ^ z >> 31) >> 11) / 9007199254740992.0;
}

static uint32_t below(struct maker *m, double n)
{
	return (uint32_t)(chance(m) * n);
}

/* About a bell, of spread 1. */
static double bell(struct maker *m)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += chance(m);
	return sum - 6;
}

static void *array(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (!p)
		abort();
	return p;
}

static void make_program(struct maker *m)
{
	m->frame_func = array((size_t)FUNCTIONS * FRAMES_MAX, sizeof(*m->frame_func));
	for (uint32_t f = 0; f < FUNCTIONS; f++) {
		uint32_t sites = 1 + below(m, chance(m) * FRAMES_MAX);

		m->first_frame[f] = m->nframes;
		while (sites--)
			m->frame_func[m->nframes++] = f;
		m->ncallees[f] = (uint8_t)(1 + below(m, chance(m) * CALLEES_MAX));
		for (uint32_t i = 0; i < m->ncallees[f]; i++) /* hot ones are anywhere */
			m->callee[f][i] = (uint32_t)(pow(chance(m), 3.5) * FUNCTIONS) * 7919 %
					  FUNCTIONS;
	}
	m->first_frame[FUNCTIONS] = m->nframes;
	for (uint32_t i = 0; i < FUNCTIONS / 20; i++) { /* these call themselves, or one another */
		uint32_t a = below(m, FUNCTIONS), b = i % 2 ? a : below(m, FUNCTIONS);

		m->callee[a][0] = b;
		m->callee[b][0] = a;
	}
}

/* The stack of a frame below another; NONE if it is new and there is no room. */
static uint32_t stack_of(struct maker *m, uint32_t prefix, uint32_t frame)
{
	uint64_t h = ((uint64_t)prefix << 32 | frame) * 0x9e3779b97f4a7c15;
	uint32_t i = (uint32_t)(h >> 32) & (m->nslots - 1);

	for (; m->slots[i]; i = (i + 1) & (m->nslots - 1)) {
		uint32_t s = m->slots[i] - 1;

		if (m->prefix[s] == prefix && m->frame[s] == frame)
			return s;
	}
	if (m->n == m->cap)
		return NONE;
	m->prefix[m->n] = prefix;
	m->frame[m->n] = frame;
	m->deep[m->n] = prefix == NONE ? 1 : m->deep[prefix] + 1;
	m->slots[i] = ++m->n;
	return m->n - 1;
}

static uint32_t target(struct maker *m)
{
	double kind = chance(m);
	double d = kind < 0.85   ? 45 + 18 * bell(m)
		   : kind < 0.98 ? 120 + 50 * bell(m)
				 : 200 + chance(m) * ((double)m->depth - 200);

	return (uint32_t)fmin(fmax(d, 3), m->depth);
}

/* From a stack some frames back and then down again. */
static uint32_t explore(struct maker *m, uint32_t at)
{
	uint32_t back = chance(m) < 0.02 ? m->deep[at] : (uint32_t)(-log(1 - chance(m)) * 6);
	uint32_t deep = target(m), before = m->n;

	while (back-- && m->prefix[at] != NONE)
		at = m->prefix[at];
	while (m->deep[at] < deep && m->n - before <= m->burst) {
		uint32_t f = m->frame_func[m->frame[at]];
		uint32_t to = m->callee[f][below(m, chance(m) * m->ncallees[f])];
		uint32_t sites = m->first_frame[to + 1] - m->first_frame[to];
		uint32_t s = stack_of(m, at, m->first_frame[to] + below(m, sites));

		if (s == NONE)
			break;
		at = s;
	}
	m->recent[m->nrecent++ % RECENT] = at;
	return at;
}

static uint32_t revisit(struct maker *m)
{
	if (chance(m) < 0.4)
		return (uint32_t)(pow(chance(m), 3) * m->n);
	uint32_t known = MIN_OF(m->nrecent, (uint32_t)RECENT);

	return m->recent[(m->nrecent - 1 - below(m, chance(m) * known)) % RECENT];
}

static void walk(struct maker *m)
{
	uint32_t at = stack_of(m, NONE, 0);

	for (uint32_t i = 0; i < m->nsamples; i++) {
		double due = (double)m->want * (i + 1) / m->nsamples;

		at = m->n < due || !m->nrecent ? explore(m, at) : revisit(m);
		m->sample[i] = at;
	}
}

/* ---- Writing ---- */

static void column(struct out *o, const char *key, const uint32_t *v, uint32_t n)
{
	out_print(o, ",\"%s\":[", key);
	for (uint32_t i = 0; i < n; i++) {
		if (i)
			out_char(o, ',');
		out_i64(o, v[i]);
	}
	out_char(o, ']');
}

/* A column that says the same all the way; or, of NULL, its row. */
static void constant(struct out *o, const char *key, const char *value, uint32_t n)
{
	out_print(o, ",\"%s\":[", key);
	for (uint32_t i = 0; i < n; i++) {
		if (i)
			out_char(o, ',');
		if (value)
			out_text(o, value);
		else
			out_i64(o, i);
	}
	out_char(o, ']');
}

static void write_names(struct out *o)
{
	static const char *const spaces[] = { "core::layout", "jit",     "std::vector",
					      "at::native",   "c10",     "net::http",
					      "render",       "rt::task" };

	out_text(o, ",\"stringArray\":[");
	for (uint32_t f = 0; f < FUNCTIONS; f++)
		out_print(o, "%s\"%s::function_%u(%s)\"", f ? "," : "", spaces[f % 8], f,
			  f % 3 ? "const T&" : "int");
	out_char(o, ']');
}

static void write_tables(struct out *o, const struct maker *m)
{
	out_print(o, "\"shared\":{\"stackTable\":{\"length\":%u", m->n);
	column(o, "frame", m->frame, m->n);
	column(o, "prefixOffset", m->deep, m->n);
	out_print(o, "},\"frameTable\":{\"length\":%u", m->nframes);
	column(o, "func", m->frame_func, m->nframes);
	constant(o, "address", "-1", m->nframes);
	constant(o, "inlineDepth", "0", m->nframes);
	constant(o, "category", "1", m->nframes);
	constant(o, "subcategory", "0", m->nframes);
	constant(o, "lib", "-1", m->nframes);
	constant(o, "nativeSymbol", "null", m->nframes);
	constant(o, "innerWindowID", "null", m->nframes);
	constant(o, "line", NULL, m->nframes);
	constant(o, "column", "null", m->nframes);
	constant(o, "originalLocation", "null", m->nframes);
	out_print(o, "},\"funcTable\":{\"length\":%u", FUNCTIONS);
	constant(o, "name", NULL, FUNCTIONS);
	constant(o, "isJS", "false", FUNCTIONS);
	constant(o, "relevantForJS", "false", FUNCTIONS);
	constant(o, "resource", "-1", FUNCTIONS);
	constant(o, "source", "null", FUNCTIONS);
	constant(o, "lineNumber", "null", FUNCTIONS);
	constant(o, "columnNumber", "null", FUNCTIONS);
	constant(o, "originalLocation", "null", FUNCTIONS);
	out_char(o, '}');
	write_names(o);
	out_text(o, "},");
}

static void write_profile(struct out *o, const struct maker *m)
{
	for (uint32_t s = 0; s < m->n; s++) /* as the format has it: rows back to the caller */
		m->deep[s] = m->prefix[s] == NONE ? 0 : s - m->prefix[s];
	out_text(o, "{\"meta\":{\"interval\":1,\"preprocessedProfileVersion\":70},\"libs\":[],");
	write_tables(o, m);
	out_print(o,
		  "\"threads\":[{\"name\":\"main\",\"pid\":\"1\",\"tid\":1,"
		  "\"samples\":{\"length\":%u,\"weightType\":\"samples\",\"weight\":null",
		  m->nsamples);
	column(o, "stack", m->sample, m->nsamples);
	constant(o, "timeDeltas", "1", m->nsamples);
	out_text(o, "}}]}\n");
	out_flush(o);
}

static ssize_t pass_on(void *g, const char *bytes, size_t n)
{
	gzout_write(g, bytes, n);
	return (ssize_t)n;
}

int main(int argc, char **argv)
{
	struct lp_error err = { "" };
	struct maker *m = array(1, sizeof(*m));
	static struct out out;
	int64_t size[4];

	for (int i = 0; i < 4; i++)
		if (argc != 5 || !str_i64(str_of(argv[i + 1]), &size[i]) || size[i] < 1 ||
		    size[i] > INT32_MAX) {
			fputs("usage: profile SAMPLES STACKS DEPTH BURST\n", stderr);
			return 2;
		}
	m->nsamples = (uint32_t)size[0];
	m->want = (uint32_t)size[1];
	m->depth = (uint32_t)size[2];
	m->burst = (uint32_t)size[3];
	m->cap = m->want + 4096;
	for (m->nslots = 1; m->nslots < 2 * m->cap;)
		m->nslots *= 2;
	m->prefix = array(m->cap, sizeof(*m->prefix));
	m->frame = array(m->cap, sizeof(*m->frame));
	m->deep = array(m->cap, sizeof(*m->deep));
	m->slots = array(m->nslots, sizeof(*m->slots));
	m->sample = array(m->nsamples, sizeof(*m->sample));
	make_program(m);
	walk(m);

	struct gzout *g = gzout_open(stdout, "profile", GZOUT_SMALL);

	out.file = fopencookie(g, "w", (cookie_io_functions_t){ .write = pass_on });
	if (!out.file)
		return 2;
	write_profile(&out, m);
	fclose(out.file);
	if (!gzout_close(g, &err)) {
		fprintf(stderr, "profile: %s\n", err.text);
		return 2;
	}
	return 0;
}
