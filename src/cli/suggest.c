/*
 * The distance is the number of letters to insert, delete, replace or swap with a
 * neighbour (optimal string alignment, three rows). A word is near if at most a third
 * of it, and never more than three letters, must change; or if the typed word is how it
 * starts.
 */
#include "cli/suggest.h"

#include <string.h>

#define LONGEST 40

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static unsigned edits(const char *a, const char *b)
{
	unsigned rows[3][LONGEST + 1], n = (unsigned)strlen(a), m = (unsigned)strlen(b);

	if (n > LONGEST || m > LONGEST)
		return LONGEST;
	for (unsigned k = 0; k <= m; k++)
		rows[0][k] = k;
	for (unsigned i = 1; i <= n; i++) {
		unsigned *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];

		now[0] = i;
		for (unsigned k = 1; k <= m; k++) {
			now[k] = least(least(last[k], now[k - 1]) + 1,
				       last[k - 1] + (a[i - 1] != b[k - 1]));
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
				now[k] = least(now[k], before[k - 2] + 1);
		}
	}
	return rows[n % 3][m];
}

void suggest_offer(struct suggest *s, const char *word)
{
	size_t typed = strlen(s->typed), length = strlen(word);
	unsigned limit = least(3, (unsigned)(length > typed ? length : typed) / 3 + 1);
	unsigned d = typed >= 2 && !strncmp(word, s->typed, typed) ? 1 : edits(s->typed, word);

	if (d > limit || (s->best && d >= s->distance))
		return;
	s->best = word;
	s->distance = d;
}
