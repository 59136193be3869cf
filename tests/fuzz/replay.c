/*
 * replay.c - runs one fuzz target over the files of folders given, in any build.
 *
 * Fails when a folder has no files: a corpus that has gone missing must not pass.
 */
#include "base/base.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Folders within are passed over. */
static bool replay_file(const char *path)
{
	struct stat st;
	FILE *f = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "rb") : NULL;

	if (!f || fseek(f, 0, SEEK_END) != 0) {
		if (f)
			fclose(f);
		return false;
	}

	size_t n = (size_t)ftell(f);
	uint8_t *data = malloc(n ? n
				 : 1); /* of the exact size: the sanitizers see every over-read */

	rewind(f);
	if (!data || fread(data, 1, n, f) != n) {
		perror(path);
		return false;
	}
	fclose(f);
	LLVMFuzzerTestOneInput(data, n);
	free(data);
	return true;
}

static unsigned replay_folder(const char *folder)
{
	struct dirent **list;
	int n = scandir(folder, &list, NULL, alphasort);
	unsigned done = 0;

	for (int i = 0; i < n; i++) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/%s", folder, list[i]->d_name);
		if (list[i]->d_name[0] != '.' && replay_file(path))
			done++;
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	return done;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		unsigned n = replay_folder(argv[i]);

		printf("%s: %u inputs\n", argv[i], n);
		if (!n)
			return 1;
	}
	return 0;
}
