#include "analysis/tlreport/tlkernels.h"

#include "algo/sort.h"
#include "analysis/pyrepr.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define NAME_MAX_CHARS 64

struct position {
	event_id event; /* of the row that names it */
	nsec min, max;
	double total, mean, median, std;
};

struct positions {
	struct tlreport *r;
	uint32_t n, count;
	struct position *at;
};

static int by_value(const void *a, const void *b)
{
	nsec x = *(const nsec *)a, y = *(const nsec *)b;

	return (x > y) - (x < y);
}

static void summarise(struct position *p, nsec *dur, uint32_t n)
{
	double square = 0;

	for (uint32_t i = 0; i < n; i++)
		p->total += (double)dur[i] /
			    1000; /* rounded as the original rounds: it breaks ties */
	qsort(dur, n, sizeof(*dur), by_value);
	p->min = dur[0];
	p->max = dur[n - 1];
	p->mean = p->total / n;
	p->median = ((double)dur[(n - 1) / 2] / 1000 + (double)dur[n / 2] / 1000) / 2;
	for (uint32_t i = 0; i < n; i++)
		square += ((double)dur[i] / 1000 - p->mean) * ((double)dur[i] / 1000 - p->mean);
	p->std = sqrt(square / n);
}

static struct positions gather(struct tlreport *r, const struct tlwork *row, uint32_t n,
			       uint32_t like)
{
	struct positions p = { .r = r, .n = row[like].n };
	nsec *dur = NEW(&r->scratch, n, nsec);

	p.at = NEW(&r->scratch, p.n, struct position);
	for (uint32_t k = 0; k < p.n; k++) {
		p.count = 0;
		for (uint32_t i = like; i < n; i++)
			if (row[i].n == p.n)
				dur[p.count++] = r->tr->ev.dur[r->l->gpu[row[i].gpu[k]]];
		p.at[k].event = r->l->gpu[row[like].gpu[k]];
		summarise(&p.at[k], dur, p.count);
	}
	return p;
}

static bool position_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct positions *p = ctx;

	if (p->at[a].total != p->at[b].total)
		return p->at[a].total < p->at[b].total;
	return str_cmp(trace_name(p->r->tr, p->at[a].event), trace_name(p->r->tr, p->at[b].event)) <
	       0;
}

static void add_field(struct textbuf *b, const char *name, double v)
{
	textbuf_add(b, STR(", '"));
	textbuf_add(b, str_of(name));
	textbuf_add(b, STR("': "));
	pyrepr_number(b, v);
}

static void add_head(struct textbuf *b, const struct trace *tr, event_id e, struct str name)
{
	const struct lane *lane = &tr->lanes.at[tr->ev.lane[e]];

	textbuf_add(b, b->n ? STR(", {'name': ") : STR("[{'name': "));
	pyrepr_string(b, name);
	if (lane->stream_known)
		textbuf_print(b, ", 'stream': %" PRId64, lane->stream);
	else
		textbuf_add(b, STR(", 'stream': None"));
}

static void add_full(struct textbuf *b, const struct positions *p, const struct position *at)
{
	add_head(b, p->r->tr, at->event, trace_name(p->r->tr, at->event));
	textbuf_print(b, ", 'count': %u", p->count);
	add_field(b, "total_duration_us", at->total);
	add_field(b, "mean_duration_us", at->mean);
	add_field(b, "median_duration_us", at->median);
	add_field(b, "std_dev_duration_us", at->std);
	add_field(b, "min_duration_us", (double)at->min / 1000);
	add_field(b, "max_duration_us", (double)at->max / 1000);
	textbuf_add(b, STR("}"));
}

/* Characters, not bytes. */
static size_t cut_at(struct str s)
{
	size_t i = 0;

	for (unsigned chars = 0; i < s.n && chars < NAME_MAX_CHARS; chars++)
		for (i++; i < s.n && ((unsigned char)s.p[i] & 0xc0) == 0x80;)
			i++;
	return i;
}

struct str tlkernels_cut(struct tlreport *r, struct str name)
{
	size_t n = cut_at(name);

	return n < name.n ? str_of(arena_print(&r->scratch, "%.*s...", (int)n, name.p)) : name;
}

static void add_trunc(struct textbuf *b, const struct positions *p, const struct position *at)
{
	add_head(b, p->r->tr, at->event, tlkernels_cut(p->r, trace_name(p->r->tr, at->event)));
	add_field(b, "mean_duration_us", rint(at->mean * 100) / 100);
	textbuf_add(b, STR("}"));
}

static uint32_t *sort_positions(struct tlreport *r, const struct positions *p)
{
	uint32_t *order = NEW(&r->scratch, p->n, uint32_t);

	for (uint32_t i = 0; i < p->n; i++)
		order[i] = i;
	sort_ids(order, p->n, NEW(&r->scratch, p->n, uint32_t), position_before, p);
	return order;
}

/* The first row with kernels, n if there is none. */
static uint32_t naming_row(const struct tlwork *row, uint32_t n)
{
	uint32_t like = 0;

	while (like < n && !row[like].n)
		like++;
	return like;
}

struct tlwork tlkernels_sorted(struct tlreport *r, const struct tlwork *row, uint32_t n)
{
	uint32_t like = naming_row(row, n);

	if (like == n)
		return (struct tlwork){ 0, NULL };
	struct positions p = gather(r, row, n, like);
	uint32_t *order = sort_positions(r, &p);
	for (uint32_t i = 0; i < p.n; i++)
		order[i] = row[like].gpu[order[i]];
	return (struct tlwork){ p.n, order };
}

struct tlkernels tlkernels_text(struct tlreport *r, const struct tlwork *row, uint32_t n)
{
	struct tlkernels out = { NULL, NULL };
	uint32_t like = naming_row(row, n);

	if (like == n)
		return out;
	struct arena_mark mark = arena_mark(&r->scratch);
	struct positions p = gather(r, row, n, like);
	const uint32_t *order = sort_positions(r, &p);
	struct textbuf full = { .arena = &r->scratch }, trunc = { .arena = &r->scratch };
	for (uint32_t i = 0; i < p.n; i++) {
		add_full(&full, &p, &p.at[order[i]]);
		add_trunc(&trunc, &p, &p.at[order[i]]);
	}
	textbuf_add(&full, STR("]"));
	textbuf_add(&trunc, STR("]"));
	out.full = textbuf_keep(&full, r->arena);
	out.trunc = textbuf_keep(&trunc, r->arena);
	arena_rewind(&r->scratch, mark);
	return out;
}
