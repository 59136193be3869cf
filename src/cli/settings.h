/* settings.h - the options every command has, and what is known of the terminal. */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include "cli/cmd.h"

struct settings {
	int format; /* enum lp_format, or -1: by the name of the output, else text */
	const char *output, *table, *columns, *sort, *window;
	int64_t limit;   /* -1: not given; 0: all */
	int64_t threads; /* 0: as many as processors */
	bool quiet, strict, stats, version, help;
	int color; /* 0 auto, 1 always, 2 never */
};

extern struct settings settings;
extern const struct opt common_opts[];

/* Whether the locale has UTF-8. */
/* From now on characters are what the user's locale says: for terminals and regular expressions. */
void locale_needed(void);
bool terminal_utf8(void);
/* Whether what goes to this stream is coloured: --color, NO_COLOR, a terminal. */
bool terminal_color(FILE *stream);
/* "longpole: WHATTEXT" on stderr, in one line that steers no terminal. */
void terminal_say(const char *what, const char *text);
/* COLUMNS if set, else of the terminal, else 100. */
unsigned terminal_columns(FILE *stream);

#endif
