/*
 * profile.h - a sampled profile in memory: threads of samples over one set of stacks.
 *
 * A reader (one per format: profile_*.c) adds functions, stacks and samples, thread by
 * thread, and calls profile_finish(), which makes stacks canonical (stacks.h). Weights
 * are integers: nanoseconds, bytes, or whatever the file counts, times 10^places, per thread.
 * Odd data is repaired and counted in `odd`.
 */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include "base/error.h"
#include "profile/counted.h"
#include "profile/functions.h"
#include "profile/samples.h"

enum profile_unit { PROFILE_SAMPLES, PROFILE_NS, PROFILE_BYTES, PROFILE_OTHER };

struct profile_thread {
	const char *name; /* "" if unknown */
	const char *process;
	const char *pid, *tid;
	size_t first, n; /* samples */
	enum profile_unit unit;
	const char *unit_name; /* "samples", "ns", "bytes", or as the file calls it */
	unsigned places;       /* weights are 10^places of the unit */
	bool leads;            /* runs operators or launches work */
};

enum profile_odd {
	PROFILE_ODD_INDEX,   /* an index out of range */
	PROFILE_ODD_LINE,    /* a line that is no stack with a count */
	PROFILE_ODD_WEIGHT,  /* samples without a weight, or weights without a sample */
	PROFILE_ODD_NESTING, /* an end without its begin, or the other way round */
	PROFILE_ODD_CUT,     /* the file ends early */
	PROFILE_ODDS
};

struct profile {
	struct arena arena;
	const char *path;
	const char *format; /* "collapsed stacks" ... */
	struct strings strings;
	struct functions functions;
	struct stacks stacks;
	struct samples samples;
	struct counted counted; /* with threads: instead of these two, see profile_sort() */
	uint32_t nthreads;
	struct profile_thread *threads;
	nsec *origin;  /* of each sample: when what caused it began, NSEC_NONE unknown; or NULL */
	bool spans;    /* a sample's weight is a length of time that begins at its time */
	nsec interval; /* between samples; 0 if unknown */
	uint32_t nevents; /* kinds of samples that are counted together, where a format has them */
	bool together;    /* its threads are one answer unless one is asked for */
	uint64_t odd[PROFILE_ODDS];
	uint64_t odd_first[PROFILE_ODDS]; /* byte or line of the first, as the format has it */
};

/* How a file is to be read. */
struct profile_options {
	bool columns;       /* keep samples one by one where they might have been counted */
	bool sums;          /* no times are needed: equal stacks may be one sample */
	const char *weight; /* which of a file's values to take; NULL: its own choice */
	bool firefox;       /* names as Firefox Profiler reads them, for comparison */
	void (*progress)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
};

struct profile *profile_new(const char *path, const char *format);
void profile_free(struct profile *p);

func_id profile_function(struct profile *p, struct str name);
/* With file (empty: unknown) and line (0: unknown). */
func_id profile_function_at(struct profile *p, struct str name, struct str file, uint32_t line);
/* Begins a thread: samples that follow are its own. Texts are copied, NULL is "". Its unit is that
 * of the thread before. */
struct profile_thread *profile_thread(struct profile *p, const char *name, const char *process,
				      const char *pid, const char *tid);
void profile_sample(struct profile *p, struct sample x);
void profile_odd(struct profile *p, enum profile_odd what, uint64_t where);
/* Of the last thread. */
void profile_unit(struct profile *p, enum profile_unit unit, const char *name);

/* A weight of the last thread, written as a decimal, at the thread's scale, which may grow. */
bool profile_weight(struct profile *p, struct str text, int64_t *out);

/* Sorts the stacks, unless they are counted. False, and the profile is freed, if the sum of weights
 * leaves 64 bits. */
struct profile *profile_finish(struct profile *p, struct lp_error *err);

/* Makes stacks and samples of a counted profile; nothing to do if they are there. */
void profile_sort(struct profile *p);

static inline struct str profile_name(const struct profile *p, func_id f)
{
	return strings_get(&p->strings, p->functions.at[f].name);
}

#endif
