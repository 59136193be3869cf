/*
 * main.c - from the words of the command line to one command, and from its result to
 * an exit code. Errors are printed here and nowhere else.
 */
#include "cli/help.h"
#include "cli/opt.h"
#include "cli/settings.h"
#include "cli/stage.h"
#include "cli/suggest.h"
#include "cli/usage.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* `longpole a.json` rather than `longpole infoo`. */
static bool looks_like_a_file(const char *word)
{
	return !strcmp(word, "-") || strpbrk(word, "./") || !access(word, F_OK);
}

static enum exit_code unknown_command(const char *word, struct lp_error *err)
{
	struct suggest s = { .typed = word };

	for (unsigned i = 0; i < ncommands; i++)
		suggest_offer(&s, commands[i]->name);
	if (s.best)
		fail(err, "unknown command '%.60s'; did you mean '%s'? (longpole help lists all)",
		     word, s.best);
	else
		fail(err, "unknown command '%.60s' (longpole help lists all)", word);
	return EXIT_TROUBLE;
}

static enum exit_code run(const struct command *c, char **argv, struct lp_error *err)
{
	if (!opt_parse(argv, c->opts, common_opts, err))
		return EXIT_TROUBLE;
	if (settings.threads < 0 || settings.threads > 4096) {
		fail(err, "-j needs a number of threads from 1 to 4096");
		return EXIT_TROUBLE;
	}
	if (settings.limit < -1) {
		fail(err, "--limit needs a number of rows, or 0 for all");
		return EXIT_TROUBLE;
	}
	if (settings.help) {
		help_command(c, stdout);
		return EXIT_OK;
	}
	if (settings.version) {
		printf("longpole %s\n", lp_version());
		return EXIT_OK;
	}
	if (!opt_count(c, argv, err) || !usage_check(c, (const char *const *)argv, err))
		return EXIT_TROUBLE;
	return c->run((const char *const *)argv, err);
}

/* Without an operand: --help, --version, or nothing at all. */
static enum exit_code run_bare(char **argv, struct lp_error *err)
{
	if (!opt_parse(argv, NULL, common_opts, err))
		return EXIT_TROUBLE;
	if (settings.version) {
		printf("longpole %s\n", lp_version());
		return EXIT_OK;
	}
	help_all(settings.help ? stdout : stderr);
	err->text[0] = 0;
	return settings.help ? EXIT_OK : EXIT_TROUBLE;
}

static enum exit_code dispatch(char **argv, struct lp_error *err)
{
	int at = opt_first_operand(argv, common_opts);

	if (!at)
		return run_bare(argv, err);
	const struct command *c = command_find(argv[at]);
	if (c) {
		for (int i = at; argv[i]; i++)
			argv[i] = argv[i + 1];
		return run(c, argv, err);
	}
	if (looks_like_a_file(argv[at]))
		return run(&cmd_overview, argv, err);
	return unknown_command(argv[at], err);
}

/* A file of ours that got the number of a closed stream would be taken for it. */
static void hold_closed_streams(void)
{
	static const int modes[] = { O_WRONLY, O_RDONLY, O_WRONLY }; /* reading 0, writing 1 fail */

	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) != fd)
			_exit(EXIT_TROUBLE);
}

int main(int argc, char **argv)
{
	struct lp_error err = { "" };

	hold_closed_streams();
	signal(SIGPIPE, SIG_DFL); /* a reader that has enough ends us without a word */
	stage_end("start");
	enum exit_code code = dispatch(argv, &err);
	if (code == EXIT_TROUBLE && err.text[0])
		terminal_say("", err.text);
	if (code != EXIT_TROUBLE && (fflush(stdout) || ferror(stdout))) {
		fprintf(stderr, "longpole: standard output: cannot write: %s\n", strerror(errno));
		code = EXIT_TROUBLE;
	}
	return code;
}
