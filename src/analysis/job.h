/*
 * job.h - the files of one job, and which rank each of them is.
 *
 * A rank is what the file says of itself (distributedInfo), else what its name says, else
 * the lowest number left. Recordings of graph captures and what is no trace at all are
 * in the list too, without a rank: nothing is passed over in silence.
 */
#ifndef ANALYSIS_JOB_H
#define ANALYSIS_JOB_H

#include "trace/trace.h"

enum job_part { JOB_RANK, JOB_CAPTURE, JOB_SKIPPED };

struct job_file {
	const char *path, *name; /* the name is the path below the folder */
	enum job_part part;
	int64_t rank;     /* -1 unless JOB_RANK */
	const char *from; /* "distributedInfo", "file name (TP-2)", "assigned", "skipped: ..." */
	bool assigned;
	uint32_t row; /* place in the list as given, by name */
};

struct job {
	struct arena *arena;
	uint32_t n;
	struct job_file *at; /* by name; after job_settle() by part, rank, name */
	int64_t size;        /* ranks that the files say there are; 0 if none does */
	struct parallel {
		int64_t tp, dp, pp; /* sizes, as far as names show */
	} parallel;
};

/* The files named, and those of the folders named, by name; false if one cannot be read. */
bool job_list(struct job *j, const char *const *paths, unsigned n, struct lp_error *err);
/* Takes from a trace of the job what it says about its rank. */
void job_note_trace(struct job *j, struct job_file *f, const struct trace *tr);
/* The file cannot be read: `why` says so, with or without its path before it. */
void job_note_failure(struct job *j, struct job_file *f, const char *why);
/* When all files are noted: ranks from names, then free numbers, then the order. */
void job_settle(struct job *j);

/* Is this the recording of a graph capture: by its name, or by annotations of captures? */
bool job_is_capture(const char *name, const struct trace *tr);

#endif
