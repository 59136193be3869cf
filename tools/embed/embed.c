/*
 * embed - files as C arrays, for what travels inside the binary.
 *
 *	embed NAME=FILE ... > out.c
 *
 * makes `const unsigned char NAME[]` and `const size_t NAME_size` of each file; a zero
 * that is not counted follows the bytes, so text may be used as a string.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *path)
{
	fprintf(stderr, "embed: ");
	perror(path);
	return 1;
}

static int embed(const char *name, size_t length, const char *path)
{
	FILE *in = fopen(path, "rb");
	size_t n = 0;
	int c;

	if (!in)
		return fail(path);
	printf("const unsigned char %.*s[] = {", (int)length, name);
	for (; (c = getc(in)) != EOF; n++)
		printf("%s%d,", n % 24 ? "" : "\n", c);
	printf("\n0};\nconst size_t %.*s_size = %zu;\n", (int)length, name, n);
	int bad = ferror(in);

	fclose(in);
	return bad ? fail(path) : 0;
}

int main(int argc, char **argv)
{
	puts("#include \"base/embedded.h\"");
	for (int i = 1; i < argc; i++) {
		const char *eq = strchr(argv[i], '=');

		if (!eq) {
			fprintf(stderr, "usage: embed NAME=FILE ... > out.c\n");
			return 2;
		}
		if (embed(argv[i], (size_t)(eq - argv[i]), eq + 1) != 0)
			return 1;
	}
	return fflush(stdout) == 0 ? 0 : fail("stdout");
}
