/*
 * synth.h - a made-up training job, told as the trace a profiler would have written.
 *
 * The job is a table of lines (program.c): operators, frames, launches, waits, each with
 * its depth. Walking the lines (walk.c) with a clock per thread and per stream gives
 * records; emit.c writes them as text, tally.c adds up what the right answers are. The
 * tally looks at the records and at what the table says about owners, never at the text
 * and never at the library.
 *
 *	program ─► walk ─► records ─► emit ─► trace.json[.gz]
 *	                      └─────► tally ─► trace.known.json
 */
#ifndef SYNTH_SYNTH_H
#define SYNTH_SYNTH_H

#include "base/base.h"

struct options {
	unsigned ranks;
	unsigned steps;  /* 0: as many as `size` takes */
	unsigned layers; /* UINT_MAX: chosen by size */
	uint64_t seed;
	uint64_t size;     /* bytes of JSON to reach, per rank */
	unsigned unlinked; /* kernels queued before the recording began */
	bool rocm, python, memory, shapes, inference, paths, gz;
	const char *output;
};

/* ---- The program ---- */

enum line_kind {
	LINE_OP,     /* cpu_op */
	LINE_PY,     /* python_function, left out unless asked for */
	LINE_NOTE,   /* user_annotation */
	LINE_LAUNCH, /* a host call that puts work on a stream */
	LINE_WAIT,   /* work on `stream` waits for what `other` has been given so far */
	LINE_SYNC,   /* the host waits for `stream` */
	LINE_CALL,   /* a host call that launches nothing */
};

enum stream { STREAM_COMPUTE, STREAM_NCCL, STREAM_COPY, STREAMS };
enum thread { THREAD_MAIN, THREAD_BACKWARD, THREADS };

/* What GPU time counts as. */
enum work_class { WORK_COMPUTE, WORK_COMM, WORK_COPY, WORK_CLASSES };
enum work_kind { WORK_KERNEL, WORK_MEMCPY, WORK_MEMSET };

struct work {
	const char *cuda, *rocm; /* names */
	nsec dur;                /* mean */
	const char *shape;       /* grid, block ... as JSON members; of a copy or set the bytes */
	uint8_t kind, class, stream;
};

/* Arguments of an operator, each one JSON text. */
struct shape {
	const char *dims, *types, *strides, *concrete;
	bool collective; /* and the arguments of a collective */
};

/* Who owns the work of a launch: decided here, by hand, by the rules of `ops`. */
enum owner {
	OWNER_NONE,     /* of a line that is no launch: owns nothing itself */
	OWNER_THIS,     /* this operator owns all work below it */
	OWNER_OP_WORK,  /* this launch has a row "<operator>-><kernel> (Synthetic Op)" */
	OWNER_API_WORK, /* likewise "<host call>-><kernel> (Synthetic Op)": no operator above */
};

struct line {
	uint8_t depth, kind, owner;
	uint8_t seq; /* slot of the sequence number: forward gives it, backward takes it */
	uint8_t work, stream, other;
	uint16_t host; /* tenths of µs spent before the children, on average */
	const char *name;
	const struct shape *shape;
};

enum section_repeat { ONCE, EACH_LAYER, EACH_LAYER_BACKWARD, EACH_FOURTH_LAYER, EACH_ITEM };

struct section {
	const struct line *lines;
	unsigned n;
	enum section_repeat repeat;
	enum thread thread;
	bool training;          /* left out of inference */
	bool after_collectives; /* the first such section begins when their ends are known */
};

/* Rows of works[]. */
enum {
	W_HTOD,
	W_DTOH,
	W_SET,
	W_EMBED,
	W_NORM,
	W_GEMM_QKV,
	W_GEMM_OUT,
	W_GEMM_UP,
	W_GEMM_DOWN,
	W_FLASH,
	W_GELU,
	W_ADD,
	W_GEMM_HEAD,
	W_SOFTMAX,
	W_NLL,
	W_NLL_BACK,
	W_SOFTMAX_BACK,
	W_GEMM_DX,
	W_GEMM_DW,
	W_BIAS_SUM,
	W_GELU_BACK,
	W_NORM_BACK_X,
	W_NORM_BACK_W,
	W_FLASH_DOT,
	W_FLASH_BACK,
	W_FLASH_CONVERT,
	W_EMBED_SORT,
	W_EMBED_BACK,
	W_ACCUMULATE,
	W_ALL_REDUCE,
	W_NORM_PARTS,
	W_NORM_SUM,
	W_SCALE,
	W_ADAMW,
	W_FILL,
};

extern const struct work works[];
extern const struct section sections[];
extern const unsigned nsections;
extern const struct line unlinked_line; /* work queued before the recording began */

#define SEQ_SLOTS 16

/* ---- Records ---- */

enum record_kind {
	RECORD_OP,
	RECORD_PY,
	RECORD_NOTE,
	RECORD_CALL,
	RECORD_WORK,
	RECORD_SYNC,     /* cuda_sync */
	RECORD_GPU_NOTE, /* gpu_user_annotation */
	RECORD_MEMORY,
};

enum api { API_LAUNCH, API_COPY, API_SET, API_RECORD, API_WAIT, API_SYNC, APIS };

struct record {
	nsec ts, dur;
	const struct line *line;
	uint8_t kind, thread, stream, api;
	uint16_t layer;
	uint32_t corr;     /* 0: none */
	uint32_t ext;      /* External id of the operator around it; 0: none */
	uint32_t seq;      /* 0: none */
	uint32_t flow;     /* fwdbwd; 0: none */
	uint32_t py, up;   /* Python id and parent; 0: none */
	uint32_t other;    /* wait: correlation of the record; memory: bytes; collective: record of
			      its annotation */
	uint32_t instance; /* GPU work: record of the operator that owns it; NONE: a row of its own
			    */
	bool frees;        /* memory */
};

struct frame {
	uint32_t record;
	uint8_t depth;
};

#define DEPTH_MAX 64

struct host {
	nsec now;
	unsigned depth;
	struct frame open[DEPTH_MAX];
};

/* One rank: clocks, counters and the records of the step under way. */
struct rank {
	const struct options *o;
	unsigned number, world;
	uint64_t random;
	struct host host[THREADS];
	nsec free[STREAMS];  /* end of the last work put there */
	nsec gpu_start;      /* of the first launched work of the step; NSEC_NONE: none yet */
	uint32_t step_note;  /* record of the step's annotation */
	nsec collective_end; /* of the last collective whose end is known */
	uint32_t next_ext, next_corr, next_seq, next_flow, next_py;
	uint32_t *seq; /* (layer, slot) -> record of the forward operator, NONE */
	uint64_t allocated;

	uint32_t n, cap;
	struct record *records;
	uint32_t ncollectives, collectives_cap;
	uint32_t *collectives; /* records whose start is when they could begin; end not known yet */
};

void rank_init(struct rank *r, const struct options *o, unsigned number);
void rank_free(struct rank *r);
/* Runs step `step` up to the first section that waits for collectives, then the rest. */
void walk_before(struct rank *r, unsigned step);
void walk_after(struct rank *r);
/* Between the two, over all ranks: a collective ends everywhere at once. */
void walk_collectives(struct rank *ranks, unsigned n);

/* ---- Names that depend on the vendor ---- */

static inline const char *work_name(const struct work *w, bool rocm)
{
	return rocm && w->rocm ? w->rocm : w->cuda;
}

const char *api_name(enum api api, bool rocm);
int stream_number(enum stream s, bool rocm);

/* ---- Text ---- */

struct emit;

struct emit *emit_open(const struct options *o, const struct rank *r, const char *path);
void emit_step(struct emit *e, const struct rank *r, unsigned step);
/* Bytes of JSON so far. */
uint64_t emit_size(const struct emit *e);
/* How many events there are; false, with a message on stderr, when they could not be written. */
bool emit_close(struct emit *e, nsec until, uint64_t *events);

/* ---- Answers ---- */

struct tally;

struct tally *tally_open(const struct options *o, unsigned rank);
void tally_step(struct tally *t, const struct rank *r);
/* False, with a message on stderr, when the file could not be written. */
bool tally_close(struct tally *t, uint64_t events, const char *path);

#endif
