/*
 * Scripts for shells. Words after `longpole` are commands or files; a word that begins
 * with a dash is one of the options of the command that came before it.
 */
#include "cli/help.h"
#include "cli/settings.h"

#include <string.h>

static void bash_words(const struct opt *opts, FILE *f)
{
	for (const struct opt *o = opts; o && o->type != OPT_END; o++)
		if (o->help && o->name)
			fprintf(f, " --%s", o->name);
}

/* The values of choices, as a case by the word before. */
static void bash_choices(const struct opt *opts, FILE *f)
{
	for (const struct opt *o = opts; o && o->type != OPT_END; o++) {
		if (o->type != OPT_CHOICE || !o->help)
			continue;
		fprintf(f, "\t--%s", o->name);
		if (o->letter)
			fprintf(f, " | -%c", o->letter);
		fputs(") words='", f);
		for (const char *p = o->arg; *p; p++)
			fputc(*p == '|' ? ' ' : *p, f);
		fputs("' ;;\n", f);
	}
}

static void bash(FILE *f)
{
	fputs("_longpole() {\n\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	      "\tlocal command='' word words=''\n\tCOMPREPLY=()\n"
	      "\tfor word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n\t\tcase $word in\n\t\t",
	      f);
	for (unsigned i = 0; i < ncommands; i++)
		fprintf(f, "%s%s", i ? " | " : "", commands[i]->name);
	fputs(") command=$word; break ;;\n\t\tesac\n\tdone\n\tcase $prev in\n", f);
	bash_choices(common_opts, f);
	for (unsigned i = 0; i < ncommands; i++)
		bash_choices(commands[i]->opts, f);
	fputs("\tesac\n\tif [ -z \"$words\" ]; then\n\t\tcase $cur in\n\t\t-*) words='", f);
	bash_words(common_opts, f);
	fputs("'\n\t\t\tcase $command in\n", f);
	for (unsigned i = 0; i < ncommands; i++) {
		fprintf(f, "\t\t\t%s) words+='", commands[i]->name);
		bash_words(commands[i]->opts, f);
		fputs("' ;;\n", f);
	}
	fputs("\t\t\tesac ;;\n\t\t*) [ -n \"$command\" ] && [ \"$command\" != help ] || words='",
	      f);
	for (unsigned i = 0; i < ncommands; i++)
		fprintf(f, "%s%s", i ? " " : "", commands[i]->name);
	fputs("' ;;\n\t\tesac\n\tfi\n\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\n"
	      "complete -o default -F _longpole longpole\n",
	      f);
}

/* Text within single quotes. */
static void quoted(const char *s, FILE *f)
{
	for (; *s; s++)
		fputs(*s == '\'' ? "'\\''" : (char[]){ *s, 0 }, f);
}

/* Within the brackets of an _arguments specification. */
static void zsh_help(const char *s, FILE *f)
{
	for (; *s; s++) {
		if (*s == '[' || *s == ']' || *s == ':' || *s == '\\')
			fputc('\\', f);
		fputs(*s == '\'' ? "'\\''" : (char[]){ *s, 0 }, f);
	}
}

static void zsh_value(const struct opt *o, FILE *f)
{
	if (!o->arg)
		return;
	fputs(":", f);
	zsh_help(o->type == OPT_CHOICE ? o->name : o->arg, f);
	if (o->type == OPT_CHOICE) {
		fputs(":(", f);
		for (const char *p = o->arg; *p; p++)
			fputc(*p == '|' ? ' ' : *p, f);
		fputc(')', f);
	} else {
		fputs(":_files", f);
	}
}

static void zsh_options(const struct opt *opts, const char *indent, FILE *f)
{
	for (const struct opt *o = opts; o && o->type != OPT_END; o++) {
		if (!o->help || !o->name)
			continue;
		fprintf(f, " \\\n%s'%s--%s[", indent, o->type == OPT_LIST ? "*" : "", o->name);
		zsh_help(o->help, f);
		fputc(']', f);
		zsh_value(o, f);
		fputc('\'', f);
	}
}

static void zsh(FILE *f)
{
	fputs("#compdef longpole\n_longpole() {\n\tlocal -a common list\n\tcommon=(", f);
	zsh_options(common_opts, "\t\t", f);
	fputs(")\n\tif (( CURRENT == 2 )); then\n\t\tlist=(", f);
	for (unsigned i = 0; i < ncommands; i++) {
		fprintf(f, "\n\t\t\t'%s:", commands[i]->name);
		quoted(commands[i]->summary, f);
		fputc('\'', f);
	}
	fputs(")\n\t\t_describe command list\n\t\t_arguments $common '*:trace:_files'\n\t\treturn\n"
	      "\tfi\n\tcase $words[2] in\n",
	      f);
	for (unsigned i = 0; i < ncommands; i++) {
		fprintf(f, "\t%s) _arguments $common", commands[i]->name);
		zsh_options(commands[i]->opts, "\t\t", f);
		fputs(" '*:file:_files' ;;\n", f);
	}
	fputs("\t*) _arguments $common '*:trace:_files' ;;\n\tesac\n}\n_longpole \"$@\"\n", f);
}

static void fish_options(const struct opt *opts, const char *command, FILE *f)
{
	for (const struct opt *o = opts; o && o->type != OPT_END; o++) {
		if (!o->help || !o->name)
			continue;
		fputs("complete -c longpole", f);
		if (command)
			fprintf(f, " -n '__fish_seen_subcommand_from %s'", command);
		if (o->letter)
			fprintf(f, " -s %c", o->letter);
		fprintf(f, " -l %s", o->name);
		if (o->type == OPT_CHOICE) {
			fputs(" -x -a '", f);
			for (const char *p = o->arg; *p; p++)
				fputc(*p == '|' ? ' ' : *p, f);
			fputc('\'', f);
		} else if (o->arg) {
			fputs(" -r", f);
		}
		fputs(" -d '", f);
		quoted(o->help, f);
		fputs("'\n", f);
	}
}

static void fish(FILE *f)
{
	for (unsigned i = 0; i < ncommands; i++) {
		fprintf(f, "complete -c longpole -n __fish_use_subcommand -a %s -d '",
			commands[i]->name);
		quoted(commands[i]->summary, f);
		fputs("'\n", f);
	}
	fish_options(common_opts, NULL, f);
	for (unsigned i = 0; i < ncommands; i++)
		fish_options(commands[i]->opts, commands[i]->name, f);
}

bool completion(const char *shell, FILE *f)
{
	if (!strcmp(shell, "bash"))
		bash(f);
	else if (!strcmp(shell, "zsh"))
		zsh(f);
	else if (!strcmp(shell, "fish"))
		fish(f);
	else
		return false;
	return true;
}
