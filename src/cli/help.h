/* help.h - what the tables of commands and options say, for people and for tools. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/cmd.h"

/* `longpole help`. */
void help_all(FILE *f);
/* `longpole COMMAND --help`. */
void help_command(const struct command *c, FILE *f);
/* Man pages: of the program (c NULL) or of a command. */
void man_page(const struct command *c, FILE *f);
/* A completion script for "bash", "zsh" or "fish"; false for any other shell. */
bool completion(const char *shell, FILE *f);

#endif
