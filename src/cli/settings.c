#include "cli/settings.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct settings settings = { .format = -1, .limit = -1 };

const struct opt common_opts[] = {
	{ OPT_CHOICE, 'f', "format", "text|csv|json|md|xlsx|html",
	  "how to write the answer (default: by the name of the output, else text)",
	  &settings.format },
	{ OPT_STRING, 'o', "output", "PATH",
	  "write to PATH, whole or not at all; to PATH/ one file per table", &settings.output },
	{ OPT_STRING, 0, "table", "NAME", "only this table of the answer", &settings.table },
	{ OPT_STRING, 0, "columns", "A,B", "only these columns, in this order; help lists them",
	  &settings.columns },
	{ OPT_STRING, 0, "sort", "A", "by this column: numbers falling, text rising; -A turns it",
	  &settings.sort },
	{ OPT_INT, 0, "limit", "N",
	  "rows of a table in text (default 20; 0: all); other formats have every row",
	  &settings.limit },
	{ OPT_STRING, 0, "window", "WHERE",
	  "only this stretch of time: step:N, iteration:N, 1.2s..1.3s or the name of an annotation",
	  &settings.window },
	{ OPT_INT, 'j', "threads", "N", "threads to read with (default: one per processor)",
	  &settings.threads },
	{ OPT_FLAG, 'q', "quiet", NULL, "tables only", &settings.quiet },
	{ OPT_FLAG, 0, "strict", NULL, "stop at the first oddity of the file", &settings.strict },
	{ OPT_FLAG, 0, "stats", NULL, "time and memory of each stage, on stderr", &settings.stats },
	{ OPT_CHOICE, 0, "color", "auto|always|never", "colours in text (also NO_COLOR)",
	  &settings.color },
	{ OPT_FLAG, 0, "version", NULL, "version, and what is built in", &settings.version },
	{ OPT_FLAG, 'h', "help", NULL, "what a command does, and its options", &settings.help },
	{ 0 },
};

const char *cmd_window(void)
{
	return settings.window;
}

unsigned cmd_threads(void)
{
	return settings.threads > 0 ? (unsigned)settings.threads : 0;
}

const char *cmd_take_output(void)
{
	const char *path = settings.output;

	settings.output = NULL;
	return path;
}

void locale_needed(void)
{
	static bool set;

	if (!set)
		setlocale(LC_CTYPE, "");
	set = true;
}

bool terminal_utf8(void)
{
	locale_needed();
	return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

bool terminal_color(FILE *stream)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (settings.color)
		return settings.color == 1;
	return !(no && *no) && !(term && !strcmp(term, "dumb")) && isatty(fileno(stream));
}

/* The text may have names from files. */
void terminal_say(const char *what, const char *text)
{
	fprintf(stderr, "longpole: %s", what);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '\n' || c == '\t')
			fputs(c == '\n' ? "\\n" : "\\t", stderr);
		else if (c < 0x20 || c == 0x7f)
			fprintf(stderr, "\\x%02x", c);
		else
			fputc(c, stderr);
	}
	fputc('\n', stderr);
}

unsigned terminal_columns(FILE *stream)
{
	const char *given = getenv("COLUMNS");
	int columns = given ? atoi(given) : 0;
	struct winsize w;

	if (columns > 0)
		return (unsigned)columns;
	if (!ioctl(fileno(stream), TIOCGWINSZ, &w) && w.ws_col)
		return w.ws_col;
	return 100;
}
