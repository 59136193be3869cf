#include "cli/help.h"
#include "cli/opt.h"
#include "cli/settings.h"

#include <string.h>

#define COLUMNS 100

static void next_line(FILE *f, unsigned *at, unsigned indent)
{
	fprintf(f, "\n%*s", (int)indent, "");
	*at = indent;
}

/* The words of `text`, no line beyond COLUMNS, continued at `indent`; a blank line stays one. */
static void wrap(FILE *f, const char *text, unsigned at, unsigned indent)
{
	while (*text) {
		size_t word = strcspn(text, " \n"), gap;

		if (at > indent && at + 1 + word > COLUMNS)
			next_line(f, &at, indent);
		fprintf(f, "%s%.*s", at > indent ? " " : "", (int)word, text);
		at += (at > indent) + (unsigned)word;
		text += word;
		gap = strspn(text, " \n");
		if (memmem(text, gap, "\n\n", 2) && text[gap]) {
			next_line(f, &at, 0);
			next_line(f, &at, indent);
		}
		text += gap;
	}
	fputc('\n', f);
}

/* ---- longpole help ---- */

/* "ops", but "help COMMAND": what may be left out is worth showing. */
static void entry_name(const struct command *c, char *to, size_t size)
{
	size_t n = strlen(c->args);

	if (c->args[0] == '[')
		snprintf(to, size, "%s %.*s", c->name, (int)n - 2, c->args + 1);
	else
		snprintf(to, size, "%s", c->name);
}

struct list {
	unsigned from, to; /* commands[from..to) */
	unsigned name, summary;
};

static struct list list_of(unsigned from, unsigned to)
{
	struct list l = { .from = from, .to = to };
	char name[64];

	for (unsigned i = from; i < to; i++) {
		entry_name(commands[i], name, sizeof(name));
		if (strlen(name) > l.name)
			l.name = (unsigned)strlen(name);
		if (strlen(commands[i]->summary) > l.summary)
			l.summary = (unsigned)strlen(commands[i]->summary);
	}
	return l;
}

static void list_entry(FILE *f, const struct list *l, unsigned i, bool last)
{
	char name[64];

	entry_name(commands[l->from + i], name, sizeof(name));
	fprintf(f, "%-*s  %-*s", (int)l->name, name, last ? 0 : (int)l->summary,
		commands[l->from + i]->summary);
}

/* Two columns, read downwards. */
static void list_commands(FILE *f)
{
	unsigned half = (ncommands + 1) / 2;
	struct list left = list_of(0, half), right = list_of(half, ncommands);

	for (unsigned i = 0; i < half; i++) {
		bool two = half + i < ncommands;

		fputs("  ", f);
		list_entry(f, &left, i, !two);
		if (two) {
			fputs("   ", f);
			list_entry(f, &right, i, true);
		}
		fputc('\n', f);
	}
}

static void list_common(FILE *f)
{
	const char *head = "Everywhere:";
	unsigned at = (unsigned)strlen(head), indent = at;

	fputs(head, f);
	for (const struct opt *o = common_opts; o->type != OPT_END; o++) {
		char text[80];
		int n = o->letter ? snprintf(text, sizeof(text), "-%c", o->letter)
				  : snprintf(text, sizeof(text), "--%s", o->name);

		if (o->arg)
			n += snprintf(text + n, sizeof(text) - (size_t)n, " %s", o->arg);
		if (at + 2 + (unsigned)n > COLUMNS)
			next_line(f, &at, indent);
		at += (unsigned)fprintf(f, "  %s", text);
	}
	fputc('\n', f);
}

void help_all(FILE *f)
{
	fputs("Reads traces of AI programs (PyTorch Kineto JSON, plain or .gz) and says where the time "
	      "goes.\n\n"
	      "  longpole TRACE                      the overview: start here\n"
	      "  longpole COMMAND [OPTIONS] TRACE…   one question\n\n",
	      f);
	list_commands(f);
	fputc('\n', f);
	list_common(f);
}

/* ---- longpole COMMAND --help ---- */

static unsigned option_text(const struct opt *o, char *to, size_t size)
{
	char letter[8] = "   ";

	if (o->letter)
		snprintf(letter, sizeof(letter), "-%c%c", o->letter, o->name ? ',' : ' ');
	return (unsigned)snprintf(to, size, "  %s %s%s%s%s", letter, o->name ? "--" : "",
				  o->name ? o->name : "", o->arg ? " " : "", o->arg ? o->arg : "");
}

/* Descriptions start below each other; a long option has its description on the next line. */
static void list_options(const struct opt *opts, FILE *f)
{
	unsigned width = 0, at;
	char text[120];

	for (const struct opt *o = opts; o && o->type != OPT_END; o++) {
		at = o->help ? option_text(o, text, sizeof(text)) : 0;
		if (at > width && at <= 28)
			width = at;
	}
	if (width < 16)
		width = 16;
	for (const struct opt *o = opts; o && o->type != OPT_END; o++) {
		if (!o->help)
			continue;
		at = option_text(o, text, sizeof(text));
		fputs(text, f);
		if (at > width)
			next_line(f, &at, width + 2);
		fprintf(f, "%*s", (int)(width + 2 - at), "");
		wrap(f, o->help, width + 2, width + 2);
	}
	fprintf(f, "%-*s  this text; common options: longpole help\n", (int)width, "  -h, --help");
}

void help_command(const struct command *c, FILE *f)
{
	fprintf(f, "longpole %s%s[OPTIONS] %s\n", c->name, *c->name ? " " : "", c->args);
	wrap(f, c->details, 0, 0);
	fputc('\n', f);
	list_options(c->opts, f);
	const char *head = "\nExamples: ";
	for (const char *p = c->examples; p && *p; p += strcspn(p, "\n"), p += *p == '\n') {
		fprintf(f, "%s%.*s\n", head, (int)strcspn(p, "\n"), p);
		head = "          ";
	}
}

/* ---- the command ---- */

static bool man;
static const char *shell;

static const struct opt opts[] = {
	{ OPT_FLAG, 0, "man", NULL, NULL, &man },
	{ OPT_STRING, 0, "completion", "SHELL", NULL, &shell },
	{ 0 },
};

static enum exit_code run(const char *const *args, struct lp_error *err)
{
	const struct command *c = args[0] ? command_find(args[0]) : NULL;

	if (args[0] && !strcmp(args[0], "arch"))
		return cmd_show(lp_archs(), err);
	if (args[0] && !c) {
		fail(err, "no command '%.60s' (longpole help lists all)", args[0]);
		return EXIT_TROUBLE;
	}
	if (shell && !completion(shell, stdout)) {
		fail(err, "completion is for bash, zsh and fish, not '%.60s'", shell);
		return EXIT_TROUBLE;
	}
	if (man)
		man_page(c, stdout);
	else if (c && !shell)
		help_command(c, stdout);
	else if (!shell)
		help_all(stdout);
	return EXIT_OK;
}

const struct command cmd_help = {
	.name = "help",
	.args = "[COMMAND]",
	.summary = "options and examples of a command",
	.details =
		"Explain a command: what it answers, its options, examples. Without one, list all. "
		"`help arch` is a table of the GPUs that --arch knows by name.\n",
	.examples = "longpole help ops\n"
		    "longpole help arch\n",
	.opts = opts,
	.unused = "window",
	.run = run,
};
