/*
 * cmd.h - what a subcommand is.
 *
 * cmd_NAME.c defines one `struct command`; commands.def lists them. From these
 * tables alone come dispatch, --help, the man pages and shell completion.
 * cli/ sees the library only through longpole.h.
 */
#ifndef CLI_CMD_H
#define CLI_CMD_H

#include "longpole.h"

enum opt_type { OPT_END, OPT_FLAG, OPT_INT, OPT_STRING, OPT_LIST, OPT_CHOICE };

struct opt {
	enum opt_type type;
	char letter;      /* 0: none */
	const char *name; /* NULL: none */
	const char *arg;  /* how the help names the value; NULL for a flag; "a|b|c" for a choice */
	const char *help; /* NULL: not for users */
	void *value; /* bool *, int64_t *, const char **, struct opt_list * or int * (index of the
			choice) */
};

/* OPT_LIST: an option that may be given again and again; several may share one list. */
struct opt_list {
	const char **at;
	const char **name; /* of the option that each was given to */
	unsigned n;
};

enum exit_code {
	EXIT_OK = 0,
	EXIT_NO = 1, /* the answer is no: check found errors, a gate failed, nothing to split */
	EXIT_TROUBLE = 2, /* wrong usage, bad input, failed output: err says which */
};

struct command {
	const char *name;
	/* "TRACE", "BEFORE AFTER", "TRACE...", "[COMMAND]"; as many words as operands */
	const char *args;
	const char *summary;  /* a few words for the list of commands */
	const char *details;  /* paragraphs; the first sentence says what it does, as an order */
	const char *examples; /* one command a line */
	const struct opt *opts;
	const char
		*unused; /* common options that would change nothing: "window sort"; NULL: none */
	enum exit_code (*run)(const char *const *args, struct lp_error *err);
};

/* All of them, in the order of `longpole help`. */
extern const struct command *const commands[];
extern const unsigned ncommands;
/* NULL if there is none of that name. */
const struct command *command_find(const char *name);

#define X(id) extern const struct command cmd_##id;
#include "cli/commands.def"
#undef X
/* `longpole TRACE`: no name of its own, else a command like any other. */
extern const struct command cmd_overview;

/* Opens a trace, showing progress on a terminal; NULL if it cannot be read. */
struct lp_trace *cmd_open(const char *path, struct lp_error *err);
/* The same for what reads its text once more: stdin too can be. */
struct lp_trace *cmd_open_again(const char *path, struct lp_error *err);
/* The same for a profile, or a trace as one. */
struct lp_profile *cmd_open_profile(const char *path, struct lp_profile_options o,
				    struct lp_error *err);
/* --window, or NULL. */
const char *cmd_window(void);
/* -j; 0: as many as there are processors. */
unsigned cmd_threads(void);
/* -o, for a command whose output is a folder of its own; the answer then goes to stdout. */
const char *cmd_take_output(void);

/* Writes the answer as --format and --output ask, then frees it. NULL passes the failure on. */
enum exit_code cmd_show(struct lp_answer *a, struct lp_error *err);

#endif
