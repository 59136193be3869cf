#include "cli/cmd.h"

#include <string.h>

const struct command *const commands[] = {
#define X(id) &cmd_##id,
#include "cli/commands.def"
#undef X
};
const unsigned ncommands = sizeof(commands) / sizeof(commands[0]);

const struct command *command_find(const char *name)
{
	for (unsigned i = 0; i < ncommands; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}
