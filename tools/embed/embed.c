/*
 * embed - files as C arrays, for what travels inside the binary.
 *
 *	embed NAME=FILE ... > out.c
 *
 * makes `const unsigned char NAME[]` and `const size_t NAME_size` of each file; a zero
 * that is not counted follows the bytes, so text may be used as a string.
 *
 *	embed --list NAME FILE ... > out.c
 *
 * makes `const struct embedded NAME[]` of all of them, in order; one without a name ends it.
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

/* The bytes of a file and the zero behind them. */
static int embed_bytes(const char *path, size_t *n)
{
	FILE *in = fopen(path, "rb");
	int c;

	if (!in)
		return fail(path);
	for (*n = 0; (c = getc(in)) != EOF; ++*n)
		printf("%s%d,", *n % 24 ? "" : "\n", c);
	printf("\n0};\n");
	int bad = ferror(in);

	fclose(in);
	return bad ? fail(path) : 0;
}

static int embed(const char *name, size_t length, const char *path)
{
	size_t n;

	printf("const unsigned char %.*s[] = {", (int)length, name);
	if (embed_bytes(path, &n) != 0)
		return 1;
	printf("const size_t %.*s_size = %zu;\n", (int)length, name, n);
	return 0;
}

static int embed_list(const char *name, char *const *path)
{
	size_t n;

	for (int i = 0; path[i]; i++) {
		printf("static const unsigned char file_%d[] = {", i);
		if (embed_bytes(path[i], &n) != 0)
			return 1;
	}
	printf("const struct embedded %s[] = {\n", name);
	for (int i = 0; path[i]; i++) {
		const char *slash = strrchr(path[i], '/');

		printf("{ \"%s\", file_%d, sizeof(file_%d) - 1 },\n", slash ? slash + 1 : path[i],
		       i, i);
	}
	printf("{ 0 } };\n");
	return 0;
}

int main(int argc, char **argv)
{
	puts("#include \"base/embedded.h\"");
	if (argc > 2 && !strcmp(argv[1], "--list"))
		return embed_list(argv[2], argv + 3) || fflush(stdout) != 0;
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
