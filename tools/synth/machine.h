/*
 * machine.h - a program of paths.h while it runs.
 *
 * paths.c makes programs and runs them, paths_walk.c tells what decided a run, paths_trace.c
 * writes it as a trace.
 */
#ifndef SYNTH_MACHINE_H
#define SYNTH_MACHINE_H

#include "paths.h"

#define US      ((nsec)1000)
#define QUEUE   (5 * US) /* from the end of a launch call to the start of its work */
#define GAP     (2 * US) /* between two pieces of work on a stream */
#define EVENT   (3 * US) /* from the end of work to what waits for it on another stream */
#define RETURN  (4 * US) /* from the end of work to the return of the call that waits */
#define OWN     (9 * US) /* of a call that need not wait: longer than a return, on purpose */
#define CALL    (1 * US) /* record, wait */
#define LAUNCH  (3 * US)
#define HANDOFF (7 * US)

#define NOBODY  UINT32_MAX
#define ACTIONS 40
#define STREAMS (2 * PATHS_THREADS) /* two of each thread */

enum act { ACT_RUN, ACT_LAUNCH, ACT_RECORD_WAIT, ACT_STREAM_SYNC, ACT_AWAIT };

struct action {
	enum act act;
	bool top;        /* begins a new top-level operator */
	unsigned name;   /* of the kernel or the operator */
	unsigned stream; /* 0 or 1: of the thread's own */
	nsec time;
	unsigned thread; /* ACT_AWAIT: the thread whose operator has to end */
	unsigned count;  /* ACT_AWAIT: and how many of its operators have ended by then */
};

struct paths {
	bool rocm;
	uint64_t jitter; /* 0: none; else a seed */
	unsigned nthreads;
	unsigned n[PATHS_THREADS];
	struct action at[PATHS_THREADS][ACTIONS];
};

enum why { BY_LAUNCH, BY_STREAM, BY_EVENT, WHYS };

struct work {
	char name[24];
	unsigned thread, stream;
	nsec launched; /* end of the call */
	nsec start, end;
	enum why why;
	uint32_t source; /* BY_STREAM, BY_EVENT: the work before it */
	uint32_t call;   /* correlation */
};

struct span {
	nsec start, end;
	char name[24];
	enum paths_class class;
	uint32_t waits; /* a wait for this work; NOBODY: own time */
	bool hole;
	uint32_t call;   /* correlation of a runtime call, or 0 */
	uint32_t record; /* ACT_RECORD_WAIT's wait: the correlation of the record */
	unsigned stream; /* of a wait */
	bool opens;      /* with it a top-level operator begins */
};

struct machine {
	const struct paths *p;
	const struct paths_change *change;
	struct arena *arena;
	unsigned next[PATHS_THREADS]; /* action */
	nsec now[PATHS_THREADS];
	unsigned nspans[PATHS_THREADS], ntops[PATHS_THREADS];
	struct span *span[PATHS_THREADS];
	nsec top_end[PATHS_THREADS][ACTIONS + 1];
	bool open[PATHS_THREADS]; /* a top-level operator runs */
	uint32_t nworks, last[STREAMS], pending[STREAMS], ncalls;
	struct work *work;
	bool bound[WHYS + 1], used[WHYS + 1], told;
};

struct machine machine_run(const struct paths *p, const struct paths_change *change,
			   struct arena *a);
/* The last top-level end of another thread in (from, to]; false if there is none. */
bool machine_handed_over(const struct machine *m, unsigned thread, nsec from, nsec to, nsec *at,
			 unsigned *by);

#endif
