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

/* Whether what is written to this stream may hold UTF-8 and, if it is a terminal, colours. */
bool terminal_utf8(void);
bool terminal_color(FILE *stream);
unsigned terminal_columns(void);

#endif
