/* Man pages in the man(7) language; the text is that of --help. */
#include "cli/help.h"
#include "cli/settings.h"

#include <ctype.h>
#include <string.h>

#define RELEASED "2026-08-01"

/*
 * Backslashes, leading points and quotes, and dashes that are to be copied, are escaped.
 * Unless verbatim, a line ends with each sentence and before its 80th column.
 */
static void text(FILE *f, const char *s, size_t n, bool verbatim)
{
	size_t column = 0;

	for (size_t i = 0; i < n; i++, column++) {
		size_t word = strcspn(s + i + 1, " \n");
		bool sentence = i && strchr(".:?", s[i - 1]) && i + 1 < n &&
				isupper((unsigned char)s[i + 1]);

		if (s[i] == '\n' ||
		    (!verbatim && s[i] == ' ' && (sentence || column + word > 72))) {
			fputc('\n', f);
			column = (size_t)-1;
			continue;
		}
		if (!column && (s[i] == '.' || s[i] == '\''))
			fputs("\\&", f);
		if (s[i] == '\\')
			fputs("\\e", f);
		else if (s[i] == '-' && verbatim)
			fputs("\\-", f);
		else
			fputc(s[i], f);
	}
}

static void all(FILE *f, const char *s, bool verbatim)
{
	text(f, s, strlen(s), verbatim);
}

static void upper(FILE *f, const char *s)
{
	for (; *s; s++)
		fputc(toupper((unsigned char)*s), f);
}

static void title(FILE *f, const char *name)
{
	fputs(".TH LONGPOLE", f);
	if (*name)
		fputc('-', f);
	upper(f, name);
	fputs(" 1 " RELEASED " \"longpole " LP_VERSION "\" \"Longpole Manual\"\n.SH NAME\nlongpole",
	      f);
	if (*name)
		fprintf(f, "\\-%s", name);
	fputs(" \\-\n", f);
}

/* "Rank operators by time. Each ..." is, as a name: rank operators by time */
static void purpose(FILE *f, const char *details)
{
	char name[200];
	int n = snprintf(name, sizeof(name), "%.*s", (int)strcspn(details, ".:"), details);

	name[0] = (char)tolower((unsigned char)name[0]);
	text(f, name, (size_t)n < sizeof(name) ? (size_t)n : sizeof(name) - 1, false);
	fputc('\n', f);
}

static void paragraphs(FILE *f, const char *s)
{
	for (const char *end; (end = strstr(s, "\n\n")); s = end + 2) {
		text(f, s, (size_t)(end - s), false);
		fputs("\n.PP\n", f);
	}
	size_t n = strlen(s);
	text(f, s, n && s[n - 1] == '\n' ? n - 1 : n, false);
	fputc('\n', f);
}

static void options(FILE *f, const struct opt *opts)
{
	for (const struct opt *o = opts; o && o->type != OPT_END; o++) {
		if (!o->help)
			continue;
		fputs(".TP\n", f);
		if (o->letter)
			fprintf(f, "\\fB\\-%c\\fR%s", o->letter, o->name ? ", " : "");
		if (o->name) {
			fputs("\\fB\\-\\-", f);
			all(f, o->name, true);
			fputs("\\fR", f);
		}
		if (o->arg)
			fprintf(f, " \\fI%s\\fR", o->arg);
		fputc('\n', f);
		all(f, o->help, false);
		fputc('\n', f);
	}
}

static void examples(FILE *f, const struct command *c)
{
	if (!c->examples)
		return;
	fputs(".SH EXAMPLES\n.EX\n", f);
	all(f, c->examples, true);
	fputs(".EE\n", f);
}

static void exit_status(FILE *f)
{
	fputs(".SH EXIT STATUS\n"
	      ".TP\n0\ndone\n"
	      ".TP\n1\nthe answer is no: check found errors, a gate failed, nothing to split\n"
	      ".TP\n2\ntrouble: wrong usage, unreadable input, output that cannot be written\n",
	      f);
}

static void page_of_command(const struct command *c, FILE *f)
{
	title(f, c->name);
	purpose(f, c->details);
	fputs(".SH SYNOPSIS\n\\fBlongpole ", f);
	all(f, c->name, true);
	fprintf(f, "\\fR [\\fIOPTIONS\\fR] \\fI%s\\fR\n.SH DESCRIPTION\n", c->args);
	paragraphs(f, c->details);
	fputs(".SH OPTIONS\n", f);
	options(f, c->opts);
	fputs(c->opts && c->opts->help ? ".PP\n" : "", f);
	fputs("The options that every command has are in\n.BR longpole (1).\n", f);
	exit_status(f);
	examples(f, c);
	fputs(".SH SEE ALSO\n.BR longpole (1)\n", f);
}

static void page_of_program(FILE *f)
{
	title(f, "");
	fputs("say where the time goes in traces of AI programs\n"
	      ".SH SYNOPSIS\n\\fBlongpole\\fR [\\fIOPTIONS\\fR] \\fITRACE\\fR\n.br\n"
	      "\\fBlongpole\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] \\fITRACE\\fR...\n"
	      ".SH DESCRIPTION\n"
	      "Reads PyTorch Kineto traces (Chrome JSON, plain or gzip, told by content;\n"
	      "- is standard input) and answers one question per command.\n"
	      "With a trace alone it gives an overview.\n"
	      ".SH COMMANDS\n",
	      f);
	for (unsigned i = 0; i < ncommands; i++) {
		fputs(".TP\n\\fB", f);
		all(f, commands[i]->name, true);
		fprintf(f, "\\fR \\fI%s\\fR\n%s\n", commands[i]->args, commands[i]->summary);
	}
	fputs(".SH OPTIONS\nThey may stand before, between and after the operands.\n", f);
	options(f, common_opts);
	exit_status(f);
	fputs(".SH ENVIRONMENT\n.TP\nNO_COLOR\nif set and not empty, text has no colours\n"
	      ".TP\nTERM\nif dumb, text has no colours\n"
	      ".TP\nCOLUMNS\nthe width of text\n"
	      ".TP\nTMPDIR\nwhere a trace from standard input is kept while it is read twice\n"
	      ".TP\nLC_ALL, LC_CTYPE, LANG\nwithout UTF-8, text is plain ASCII\n.SH SEE ALSO\n",
	      f);
	for (unsigned i = 0; i < ncommands; i++) {
		fputs(".BR longpole\\-", f);
		all(f, commands[i]->name, true);
		fputs(i + 1 < ncommands ? " (1),\n" : " (1)\n", f);
	}
}

void man_page(const struct command *c, FILE *f)
{
	if (c)
		page_of_command(c, f);
	else
		page_of_program(f);
}
