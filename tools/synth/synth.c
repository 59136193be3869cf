/*
 * The program: options, and the loop over steps.
 *
 * All ranks run side by side, since a collective ends when the last of them has come.
 */
#include "synth.h"
#include "paths.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char usage[] =
	"usage: synth [OPTIONS] -o PATH\n"
	"Writes a made-up PyTorch trace to PATH and what the right answers are beside it\n"
	"(PATH less .json or .json.gz, with .known.json).\n"
	"\n"
	"  -o, --output PATH   with several ranks a folder, PATH/rank_0.json ...\n"
	"      --size BYTES    of JSON to reach, in whole steps: 10k .. 10G (default 1M)\n"
	"      --steps N       so many steps instead\n"
	"      --layers N      of the model (default: grows with the size, up to 24)\n"
	"      --ranks N       traces of one job (default 1: one trace of a job of 8)\n"
	"      --seed N        (default 1)\n"
	"      --rocm          names of an AMD GPU\n"
	"      --python        with Python frames\n"
	"      --no-shapes     without the shapes of operators\n"
	"      --no-memory     without memory events\n"
	"      --inference     forward only (so too below 60k; below 15k without shapes and memory)\n"
	"      --unlinked N    N kernels that were queued before the recording began\n"
	"      --paths         instead: a small program whose critical path is known\n"
	"      --gz            compressed; so too if PATH ends in .gz\n";

struct output {
	struct rank *ranks;
	struct emit **emits;
	struct tally **tallies;
	unsigned n; /* opened */
};

static char *path_of(const struct options *o, unsigned rank, bool known)
{
	size_t n = strlen(o->output) + 64;
	char *path = malloc(n);

	if (!path)
		abort();
	if (o->ranks > 1) {
		snprintf(path, n, "%s/rank_%u%s", o->output, rank,
			 known   ? ".known.json"
			 : o->gz ? ".json.gz"
				 : ".json");
		return path;
	}
	snprintf(path, n, "%s", o->output);
	if (known) {
		char *at = strrchr(path, '/');
		char *dot = strstr(at ? at : path, ".json");

		strcpy(dot ? dot : path + strlen(path), ".known.json");
	}
	return path;
}

static bool open_output(struct output *out, const struct options *o)
{
	out->ranks = calloc(o->ranks, sizeof(*out->ranks));
	out->emits = calloc(o->ranks, sizeof(struct emit *));
	out->tallies = calloc(o->ranks, sizeof(struct tally *));
	if (!out->ranks || !out->emits || !out->tallies)
		abort();
	if (o->ranks > 1 && mkdir(o->output, 0777) != 0 && errno != EEXIST) {
		fprintf(stderr, "synth: %s: cannot make: %s\n", o->output, strerror(errno));
		return false;
	}
	for (unsigned i = 0; i < o->ranks; i++) {
		char *path = path_of(o, i, false);

		rank_init(&out->ranks[i], o, i);
		out->emits[i] = emit_open(o, &out->ranks[i], path);
		out->tallies[i] = tally_open(o, i);
		out->n = i + 1;
		free(path);
		if (!out->emits[i])
			return false;
	}
	return true;
}

static void run(struct output *out, const struct options *o)
{
	for (unsigned step = 0; o->steps ? step < o->steps : emit_size(out->emits[0]) < o->size;
	     step++) {
		for (unsigned i = 0; i < out->n; i++)
			walk_before(&out->ranks[i], step);
		walk_collectives(out->ranks, out->n);
		for (unsigned i = 0; i < out->n; i++) {
			walk_after(&out->ranks[i]);
			emit_step(out->emits[i], &out->ranks[i], step);
			tally_step(out->tallies[i], &out->ranks[i]);
		}
	}
}

static bool close_output(struct output *out, const struct options *o)
{
	bool ok = out->n == o->ranks;

	for (unsigned i = 0; i < out->n; i++) {
		char *path = path_of(o, i, true);
		uint64_t events = 0;

		if (out->emits[i])
			ok = emit_close(out->emits[i], out->ranks[i].host[THREAD_MAIN].now,
					&events) &&
			     ok;
		ok = tally_close(out->tallies[i], events, path) && ok;
		rank_free(&out->ranks[i]);
		free(path);
	}
	free(out->ranks);
	free(out->emits);
	free(out->tallies);
	return ok;
}

/* 10k, 2M, 1G: decimal units. */
static uint64_t parse_size(const char *text)
{
	char *end;
	double x = strtod(text, &end);

	switch (*end) {
	case 'k':
	case 'K':
		return (uint64_t)(x * 1e3);
	case 'm':
	case 'M':
		return (uint64_t)(x * 1e6);
	case 'g':
	case 'G':
		return (uint64_t)(x * 1e9);
	}
	return (uint64_t)x;
}

/* About four steps, until the model is as large as it gets. */
static unsigned layers_for(const struct options *o)
{
	uint64_t per_layer = o->python ? 120000 : 80000;

	return (unsigned)MIN_OF(o->size / 4 / per_layer, (uint64_t)24);
}

static bool parse_options(int argc, char **argv, struct options *o)
{
	enum {
		SIZE = 256,
		STEPS,
		LAYERS,
		RANKS,
		SEED,
		ROCM,
		PYTHON,
		NO_SHAPES,
		NO_MEMORY,
		INFERENCE,
		UNLINKED,
		PATHS,
		GZ
	};
	static const struct option longs[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "size", required_argument, NULL, SIZE },
		{ "steps", required_argument, NULL, STEPS },
		{ "layers", required_argument, NULL, LAYERS },
		{ "ranks", required_argument, NULL, RANKS },
		{ "seed", required_argument, NULL, SEED },
		{ "rocm", no_argument, NULL, ROCM },
		{ "python", no_argument, NULL, PYTHON },
		{ "no-shapes", no_argument, NULL, NO_SHAPES },
		{ "no-memory", no_argument, NULL, NO_MEMORY },
		{ "inference", no_argument, NULL, INFERENCE },
		{ "unlinked", required_argument, NULL, UNLINKED },
		{ "paths", no_argument, NULL, PATHS },
		{ "gz", no_argument, NULL, GZ },
		{ 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "o:", longs, NULL)) != -1) {
		const char *arg = optarg ? optarg : "";
		unsigned n = (unsigned)strtoul(arg, NULL, 10);

		switch (c) {
		case 'o':
			o->output = arg;
			break;
		case SIZE:
			o->size = parse_size(arg);
			break;
		case STEPS:
			o->steps = n;
			break;
		case LAYERS:
			o->layers = n;
			break;
		case RANKS:
			o->ranks = n;
			break;
		case SEED:
			o->seed = strtoull(arg, NULL, 10);
			break;
		case ROCM:
			o->rocm = true;
			break;
		case PYTHON:
			o->python = true;
			break;
		case NO_SHAPES:
			o->shapes = false;
			break;
		case NO_MEMORY:
			o->memory = false;
			break;
		case INFERENCE:
			o->inference = true;
			break;
		case UNLINKED:
			o->unlinked = n;
			break;
		case PATHS:
			o->paths = true;
			break;
		case GZ:
			o->gz = true;
			break;
		default:
			return false;
		}
	}
	if (!o->output || optind != argc || !o->ranks)
		return false;
	o->inference = o->inference || (!o->steps && o->size < 60000);
	if (!o->steps && o->size < 15000)
		o->shapes = o->memory = false;
	if (o->layers == UINT_MAX)
		o->layers = layers_for(o);
	o->gz = o->gz ||
		(strlen(o->output) > 3 && !strcmp(o->output + strlen(o->output) - 3, ".gz"));
	return true;
}

int main(int argc, char **argv)
{
	struct options o = {
		.ranks = 1,
		.layers = UINT_MAX,
		.seed = 1,
		.size = 1000000,
		.shapes = true,
		.memory = true,
	};
	struct output out = { 0 };

	if (!parse_options(argc, argv, &o)) {
		fputs(usage, stderr);
		return 2;
	}

	if (o.paths)
		return paths_write(o.seed, o.rocm, o.output) ? 0 : 2;
	bool ok = open_output(&out, &o);

	if (ok)
		run(&out, &o);
	return close_output(&out, &o) && ok ? 0 : 2;
}
