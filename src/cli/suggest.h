/* suggest.h - "did you mean". */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

/* Keeps the best of the words offered: start with { .typed = word }. */
struct suggest {
	const char *typed;
	const char *best; /* NULL: nothing is near enough */
	unsigned distance;
};

void suggest_offer(struct suggest *s, const char *word);

#endif
