#include "cli/cmd.h"
#include "cli/opt.h"
#include "cli/settings.h"
#include "cli/stage.h"

#include <signal.h>
#include <stdio.h>

static int64_t port;
static struct lp_serve_options o;

static const struct opt opts[] = {
	{ OPT_INT, 0, "port", "N", "listen on this port; without it on any that is free", &port },
	{ OPT_STRING, 0, "arch", "NAME|FILE",
	  "what the GPU can do at best, for the roofline; default: by its name in the trace",
	  &o.report.arch },
	{ 0 },
};

/* What ends the server; blocked before its thread begins, so that only sigwait() sees them. */
static sigset_t endings(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	return set;
}

static bool wait_for_the_end(const struct lp_server *s, const sigset_t *end, struct lp_error *err)
{
	int which;

	printf("%s\n", lp_server_url(s));
	if (fflush(stdout) != 0)
		return fail(err, "cannot write the address");
	if (!settings.quiet)
		fprintf(stderr, "longpole: open this address in a browser on this machine; "
				"Ctrl-C ends it\n");
	return sigwait(end, &which) == 0 || fail(err, "cannot wait for a signal");
}

static enum exit_code run(const char *const *args, struct lp_error *err)
{
	if (port < 0 || port > 65535) {
		fail(err, "--port needs a number from 1 to 65535");
		return EXIT_TROUBLE;
	}
	struct lp_trace *tr = cmd_open(args[0], err);
	sigset_t end = endings();

	o.port = (uint16_t)port;
	if (tr)
		pthread_sigmask(SIG_BLOCK, &end, NULL);
	struct lp_server *s = tr ? lp_serve(tr, o, err) : NULL;
	bool done = s && wait_for_the_end(s, &end, err);

	lp_server_stop(s);
	lp_close(tr);
	return done ? EXIT_OK : EXIT_TROUBLE;
}

const struct command cmd_serve = {
	.name = "serve",
	.args = "TRACE",
	.summary = "the page of a trace that is too large for one file",
	.details =
		"Show the page of `report` in a browser and give it more as it is asked for: the "
		"timeline in full detail, and every node of the call trees. The address, which "
		"goes to standard output, holds a random token; only this machine can reach it "
		"(through ssh: `ssh -L PORT:127.0.0.1:PORT host`), and nothing can be changed "
		"through it. Ctrl-C ends it.\n",
	.examples = "longpole serve trace.json.gz\n"
		    "longpole serve trace.json.gz --port 8080",
	.opts = opts,
	.unused = "format output table columns sort limit window",
	.run = run,
};
