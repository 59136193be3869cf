/* Laws of the merge on random trees: nothing lost, nothing twice, and the mirror. */
#include "../unit/diff_trees.h"

#include "algo/align.h"
#include "prop.h"

/* An operator with up to two levels below it. */
static size_t write_op(char *out, int depth, uint32_t letters)
{
	size_t n = (size_t)sprintf(out, "%c", 'a' + (int)prop_below(letters));
	uint32_t kids = depth ? prop_below(4) : 0;

	if (prop_below(3))
		n += (size_t)sprintf(out + n, "{%u}", prop_below(2));
	if (!kids)
		return n + (prop_below(4) ? (size_t)sprintf(out + n, "[%u]", prop_below(3)) : 0);
	out[n++] = '(';
	for (uint32_t i = 0; i < kids; i++) {
		n += write_op(out + n, depth - 1, letters);
		out[n++] = ' ';
	}
	out[n++] = ')';
	return n;
}

static void write_tree(char *out, uint32_t letters)
{
	size_t n = 0;

	for (uint32_t i = prop_below(5); i > 0; i--) {
		n += write_op(out + n, 3, letters);
		out[n++] = ' ';
	}
	out[n] = 0;
}

/* Drops, doubles or wraps words of the first level here and there. */
static void change(char *out, const char *in)
{
	size_t n = 0;

	while (*in) {
		const char *from = in;
		int depth = 0;

		for (; *in && (depth || *in != ' '); in++)
			depth += *in == '(' ? 1 : *in == ')' ? -1 : 0;
		int len = (int)(in - from);
		in += *in == ' ';
		switch (prop_below(6)) {
		case 0:
			break;
		case 1:
			n += (size_t)sprintf(out + n, "w(%.*s ) ", len, from);
			break;
		case 2:
			n += (size_t)sprintf(out + n, "%.*s %.*s ", len, from, len, from);
			break;
		default:
			n += (size_t)sprintf(out + n, "%.*s ", len, from);
		}
	}
	out[n] = 0;
}

static bool all_there_once(const struct diff_sides *d, const struct diff_merged *m)
{
	for (int k = 0; k < 2; k++) {
		uint8_t seen[TREE_MAX] = { 0 };

		for (uint32_t i = 0; i < m->n; i++)
			if (m->node[k][i] != NONE)
				seen[m->node[k][i]]++;
		for (uint32_t u = 0; u < d->side[k].n; u++)
			if (seen[u] != 1)
				return false;
	}
	return true;
}

static bool is_preorder(const struct diff_merged *m)
{
	for (uint32_t i = 1; i < m->n; i++)
		if (m->parent[i] >= i || m->end[i] > m->end[m->parent[i]])
			return false;
	return true;
}

/* Leaving out what is only in the other trace, parents are those of the trace. */
static uint32_t count_strangers(const struct diff_sides *d, const struct diff_merged *m)
{
	uint32_t strange = 0;

	for (uint32_t i = 1; i < m->n; i++)
		for (int k = 0; k < 2; k++) {
			uint32_t up = m->parent[i];

			if (m->node[k][i] == NONE)
				continue;
			while (m->node[k][up] == NONE)
				up = m->parent[up];
			strange += m->node[k][up] != d->side[k].parent[m->node[k][i]];
		}
	return strange;
}

static void *partners(const struct diff_merged *m, int k)
{
	static uint32_t to[2][TREE_MAX];

	for (uint32_t i = 0; i < m->n; i++)
		if (m->node[k][i] != NONE)
			to[k][m->node[k][i]] = m->node[!k][i];
	return to[k];
}

static bool is_mirrored(const char *before, const char *after, const struct diff_merged *m)
{
	struct diff_sides d = { 0 };

	for (int k = 0; k < 2; k++) {
		tree_room(&d, k, TREE_MAX);
		tree_read(&d, k, k ? before : after,
			  k ? "cudaLaunchKernel" : "hipModuleLaunchKernel");
	}
	diff_sides_finish(&d);
	struct diff_merged back = diff_merge(&d, &d.arena);
	bool same = back.n == m->n &&
		    !memcmp(partners(m, 0), partners(&back, 1), d.side[1].n * sizeof(uint32_t));

	if (!same)
		print_error("before: %s\nafter:  %s\n", before, after);
	diff_sides_free(&d);
	return same;
}

static void random_trees(void **unused)
{
	(void)unused;
	static char before[1 << 16], after[1 << 16];
	uint32_t strange = 0;

	for (unsigned round = 0; round < PROP_ROUNDS(1500); round++) {
		prop_start(round);
		write_tree(before, 2 + prop_below(6));
		if (round % 3)
			change(after, before);
		else
			write_tree(after, 2 + prop_below(6));
		struct diff_sides d = trees(before, after);
		struct diff_merged m = diff_merge(&d, &d.arena);

		PROP_CHECK(round, all_there_once(&d, &m) && is_preorder(&m));
		strange += count_strangers(&d, &m);
		PROP_CHECK(round, is_mirrored(before, after, &m));
		diff_sides_free(&d);
	}
	/* but for nodes below wrappers that cut across each other */
	assert_true(strange < PROP_ROUNDS(1500));
}

static void a_tree_with_itself(void **unused)
{
	(void)unused;
	static char text[1 << 16];

	for (unsigned round = 0; round < PROP_ROUNDS(300); round++) {
		prop_start(round);
		write_tree(text, 2 + prop_below(6));
		struct diff_sides d = trees(text, text);
		struct diff_merged m = diff_merge(&d, &d.arena);

		PROP_CHECK(round, m.n == d.side[0].n);
		for (uint32_t i = 0; i < m.n; i++)
			PROP_CHECK(round,
				   m.node[0][i] == m.node[1][i] && m.how[i] == DIFF_IN_PLACE);
		diff_sides_free(&d);
	}
}

/* Pairing anew within a name changes who is paired, never how many: in place as many as the
 * alignment of names has matches, in all as many as there are of each name on both sides. */
static void matching_keeps_the_counts(void **unused)
{
	(void)unused;
	static char before[1 << 16], after[1 << 16];

	for (unsigned round = 0; round < PROP_ROUNDS(1000); round++) {
		prop_start(round);
		write_tree(before, 3);
		write_tree(after, 3);
		struct diff_sides d = trees(before, after);
		uint32_t n[2] = { 0, 0 }, *node[2], *name[2], pairs = 0, in_place = 0, common = 0;

		for (int k = 0; k < 2; k++) {
			const struct diff_side *s = &d.side[k];

			node[k] = NEW(&d.arena, s->n, uint32_t);
			name[k] = NEW(&d.arena, s->n, uint32_t);
			for (uint32_t c = 1; c < s->end[0]; c = s->end[c]) {
				name[k][n[k]] = s->name[c];
				node[k][n[k]++] = c;
			}
		}
		uint32_t *partner = NEW(&d.arena, n[0], uint32_t);
		uint8_t *how = NEW(&d.arena, n[0], uint8_t);
		uint32_t found = diff_match(&d, (struct diff_list){ n[0], node[0] },
					    (struct diff_list){ n[1], node[1] }, false, partner,
					    how, &d.arena);
		for (uint32_t i = 0; i < n[0]; i++) {
			uint32_t mine = 0, theirs = 0;

			pairs += partner[i] != NONE;
			in_place += how[i] == DIFF_IN_PLACE;
			PROP_CHECK(round, partner[i] == NONE || name[0][i] == name[1][partner[i]]);
			for (uint32_t j = 0; j <= i; j++)
				mine += name[0][j] == name[0][i];
			for (uint32_t j = 0; j < n[1]; j++)
				theirs += name[1][j] == name[0][i];
			common += mine <= theirs;
		}
		PROP_CHECK(round, pairs == common && found == pairs);
		PROP_CHECK(round, in_place == align_optimal(name[0], n[0], name[1], n[1], partner,
							    &d.arena));
		diff_sides_free(&d);
	}
}

/* Brings the next permutation; false after the last. */
static bool permute(int *p, int n)
{
	int i = n - 2, j = n - 1;

	while (i >= 0 && p[i] > p[i + 1])
		i--;
	if (i < 0)
		return false;
	while (p[j] < p[i])
		j--;
	int t = p[i];
	p[i] = p[j];
	p[j] = t;
	for (i++, j = n - 1; i < j; i++, j--) {
		t = p[i];
		p[i] = p[j];
		p[j] = t;
	}
	return true;
}

static const char *siblings(const int *order, const char *const *ops, int n)
{
	static char out[2][4096];
	static int turn;
	char *to = out[turn ^= 1];
	size_t len = (size_t)sprintf(to, "block(");

	for (int i = 0; i < n; i++)
		len += (size_t)sprintf(to + len, "%s ", ops[order[i]]);
	sprintf(to + len, ")");
	return to;
}

/* Both bmm of the block are paired with their like, however the siblings stand. */
static void the_brief_in_every_order(void **unused)
{
	(void)unused;
	static const char *const before[] = { "bmm(transpose[t] expand[e] [qk])", "softmax[s]",
					      "bmm(expand[e] reshape[r] [av])", "linear[l]" };
	static const char *const after[] = { "dropout[d]", "bmm(transpose[t] expand[e] [qk])",
					     "softmax[s]", "bmm(expand[e] reshape[r] [av])" };
	int p[] = { 0, 1, 2, 3 };

	do {
		int q[] = { 0, 1, 2, 3 };

		do {
			struct diff_sides d = trees(siblings(p, before, 4), siblings(q, after, 4));
			struct diff_merged m = diff_merge(&d, &d.arena);
			uint32_t alone = 0;

			for (uint32_t i = 0; i < m.n; i++) {
				uint32_t u = m.node[0][i], v = m.node[1][i];

				alone += !diff_combined(&m, i);
				if (diff_combined(&m, i))
					assert_true(diff_levels_key(&d.side[0], u, 1) ==
							    diff_levels_key(&d.side[1], v, 1) ||
						    m.parent[i] == 0 || m.parent[i] == NONE);
			}
			assert_int_equal(alone,
					 6); /* linear and dropout, launch and kernel of each */
			diff_sides_free(&d);
		} while (permute(q, 4));
	} while (permute(p, 4));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_trees),
		cmocka_unit_test(a_tree_with_itself),
		cmocka_unit_test(matching_keeps_the_counts),
		cmocka_unit_test(the_brief_in_every_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
