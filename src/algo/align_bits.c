/*
 * A column of the table as bits, one per row, 64 rows at a time. Both tables below need
 * only the vertical differences between neighbours for the way back:
 *
 *	longest common subsequence   bit i = 0: row i + 1 is one more than row i
 *	                             (Crochemore, Iliopoulos, Pinzon, Reid; Hyyro)
 *	edit distance                "plus" bit i = 1: row i + 1 is one more than row i
 *	                             (Myers 1999, Hyyro's blocks)
 *
 * Keeping all columns would take n * m / 8 bytes, so only each S-th is kept, S the root
 * of m; on the way back the columns between two of them are computed once more.
 */
#include "algo/align_step.h"

#include "base/map.h"

#include <string.h>

/* Rows where a has the name of a column. */
struct rows {
	uint32_t words;
	uint64_t *mask;   /* the one that is asked for now */
	uint64_t **dense; /* of each name that is frequent; else NULL */
	uint32_t *first, *row;
	uint32_t filled; /* name whose bits are in mask; NONE: it is empty */
};

static void list_rows(struct rows *r, const uint32_t *a, uint32_t n, uint32_t k, struct arena *s)
{
	r->first = NEW(s, (size_t)k + 2, uint32_t);
	r->row = NEW(s, n, uint32_t);
	for (uint32_t i = 0; i < n; i++)
		r->first[a[i] + 2]++;
	for (uint32_t c = 0; c < k; c++)
		r->first[c + 2] += r->first[c + 1];
	for (uint32_t i = 0; i < n; i++)
		r->row[r->first[a[i] + 1]++] = i;
}

static void set_rows(const struct rows *r, uint32_t name, uint64_t *mask)
{
	for (uint32_t i = r->first[name]; i < r->first[name + 1]; i++)
		mask[r->row[i] / 64] |= (uint64_t)1 << r->row[i] % 64;
}

/* Names with more rows than there are words get a mask of their own: at most 64 do. */
static struct rows rows_new(const uint32_t *a, uint32_t n, uint32_t k, struct arena *s)
{
	struct rows r = { .words = (n + 63) / 64, .filled = NONE };

	list_rows(&r, a, n, k, s);
	r.mask = NEW(s, r.words, uint64_t);
	r.dense = NEW(s, k, uint64_t *);
	for (uint32_t c = 0; c < k; c++)
		if (r.first[c + 1] - r.first[c] > r.words) {
			r.dense[c] = NEW(s, r.words, uint64_t);
			set_rows(&r, c, r.dense[c]);
		}
	return r;
}

static const uint64_t *rows_of(struct rows *r, uint32_t name)
{
	if (r->dense[name])
		return r->dense[name];
	if (r->filled != NONE)
		for (uint32_t i = r->first[r->filled]; i < r->first[r->filled + 1]; i++)
			r->mask[r->row[i] / 64] = 0;
	set_rows(r, name, r->mask);
	r->filled = name;
	return r->mask;
}

/* From the column before (`from`) to the one whose name has the rows `eq`. */
typedef void column_step(uint64_t *to, const uint64_t *from, const uint64_t *eq, uint32_t words);

static void common_step(uint64_t *to, const uint64_t *from, const uint64_t *eq, uint32_t words)
{
	uint64_t carry = 0;

	for (uint32_t w = 0; w < words; w++) {
		uint64_t v = from[w], u = v & eq[w], sum = v + u, c = sum < v;

		sum += carry;
		carry = c | (sum < carry);
		to[w] = sum | (v - u);
	}
}

/* A column is `words` of plus and then `words` of minus. Row 0 grows by one per column. */
static void edit_step(uint64_t *to, const uint64_t *from, const uint64_t *eq, uint32_t words)
{
	uint64_t in_plus = 1, in_minus = 0;

	for (uint32_t w = 0; w < words; w++) {
		uint64_t pv = from[w], mv = from[words + w], e = eq[w];
		uint64_t xv = e | mv, ee = e | in_minus;
		uint64_t xh = (((ee & pv) + pv) ^ pv) | ee;
		uint64_t ph = mv | ~(xh | pv), mh = pv & xh;
		uint64_t out_plus = ph >> 63, out_minus = mh >> 63;

		ph = ph << 1 | in_plus;
		mh = mh << 1 | in_minus;
		to[w] = mh | ~(xv | ph);
		to[words + w] = ph & xv;
		in_plus = out_plus;
		in_minus = out_minus;
	}
}

struct table {
	struct rows rows;
	const uint32_t *b;
	uint32_t m;
	column_step *step;
	uint32_t size;   /* words of a column */
	uint32_t stride; /* S */
	uint64_t *kept;  /* columns 0, S, 2S .. */
	uint64_t *block; /* the columns from `start` on */
	uint32_t start;
};

#define BLOCK_WORDS ((uint64_t)1 << 16) /* a table of at most these is kept whole */

static uint32_t stride_of(uint32_t m, uint32_t size)
{
	uint32_t s = 1;

	if (((uint64_t)m + 1) * size <= BLOCK_WORDS)
		return m + 1;
	while ((uint64_t)s * s < m)
		s++;
	return s;
}

static uint64_t *column(uint64_t *columns, uint32_t size, uint32_t i)
{
	return columns + (size_t)size * i;
}

/* Columns start .. start + S - 1, from the kept one. */
static void fill_block(struct table *t, uint32_t start)
{
	uint32_t end = MIN_OF(start + t->stride - 1, t->m);

	memcpy(t->block, column(t->kept, t->size, start / t->stride), t->size * sizeof(uint64_t));
	for (uint32_t j = start; j < end; j++)
		t->step(column(t->block, t->size, j - start + 1),
			column(t->block, t->size, j - start), rows_of(&t->rows, t->b[j]),
			t->rows.words);
	t->start = start;
}

/* All blocks from the left, keeping the first column of each; the last one stays filled. */
static void fill_table(struct table *t)
{
	uint64_t *last;

	memset(t->kept, 0xff, t->rows.words * sizeof(uint64_t));
	for (uint32_t start = 0;; start += t->stride) {
		fill_block(t, start);
		if (t->m - start < t->stride)
			return;
		last = column(t->block, t->size, t->stride - 1);
		t->step(column(t->kept, t->size, start / t->stride + 1), last,
			rows_of(&t->rows, t->b[start + t->stride - 1]), t->rows.words);
	}
}

static struct table table_new(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m,
			      uint32_t k, column_step *step, uint32_t parts, struct arena *s)
{
	struct table t = { .rows = rows_new(a, n, k, s), .b = b, .m = m, .step = step };

	t.size = parts * t.rows.words;
	t.stride = stride_of(m, t.size);
	t.kept = NEW(s, (size_t)t.size * (m / t.stride + 1), uint64_t);
	t.block = NEW(s, (size_t)t.size * MIN_OF(t.stride, m + 1), uint64_t);
	fill_table(&t);
	return t;
}

/* Bit `row` of column j, as j falls. */
static bool table_bit(struct table *t, uint32_t j, uint32_t row)
{
	if (j < t->start)
		fill_block(t, j / t->stride * t->stride);
	return column(t->block, t->size, j - t->start)[row / 64] >> row % 64 & 1;
}

void align_bits(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m, uint32_t k,
		uint32_t *partner, struct arena *scratch)
{
	struct arena_mark mark = arena_mark(scratch);
	struct table t = table_new(a, n, b, m, k, common_step, 1, scratch);
	uint32_t i = n, j = m;

	while (i > 0 && j > 0) {
		if (a[i - 1] == b[j - 1])
			partner[--i] = --j;
		else if (table_bit(&t, j, i - 1))
			i--;
		else
			j--;
	}
	arena_rewind(scratch, mark);
}

/* Ops are found from the back: turn them round. */
static void turn(struct align_op *ops, uint32_t n)
{
	for (uint32_t i = 0; i < n / 2; i++) {
		struct align_op op = ops[i];

		ops[i] = ops[n - 1 - i];
		ops[n - 1 - i] = op;
	}
}

static uint32_t edit_ops(struct table *t, const uint32_t *a, uint32_t i, const uint32_t *b,
			 uint32_t j, struct align_op *ops)
{
	uint32_t n = 0;

	while (i > 0 || j > 0) {
		if (i > 0 && j > 0 && a[i - 1] == b[j - 1]) {
			ops[n++] = (struct align_op){ --i, --j };
		} else if (i > 0 && (j == 0 || table_bit(t, j, i - 1))) {
			ops[n++] = (struct align_op){ --i, NONE };
		} else {
			ops[n++] = (struct align_op){ NONE, --j };
		}
	}
	turn(ops, n);
	return n;
}

/* The names of both lists as 0 .. k - 1. */
static uint32_t renumber(const uint32_t *a, uint32_t n, uint32_t *to, struct map *ids, uint32_t k)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t *id = map_at(ids, a[i]);

		if (*id == NONE)
			*id = k++;
		to[i] = *id;
	}
	return k;
}

uint32_t align_tracelens(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m,
			 struct align_op *ops, struct arena *scratch)
{
	struct arena_mark mark = arena_mark(scratch);
	struct map ids = map_new(scratch, (size_t)n + m);
	uint32_t *ra = NEW(scratch, n, uint32_t), *rb = NEW(scratch, m, uint32_t), nops;
	uint32_t k = renumber(b, m, rb, &ids, renumber(a, n, ra, &ids, 0));

	/* Rows are names of a; what only b has needs empty rows. */
	struct table t = table_new(ra, n, rb, m, k, edit_step, 2, scratch);

	nops = edit_ops(&t, ra, n, rb, m, ops);
	arena_rewind(scratch, mark);
	return nops;
}
