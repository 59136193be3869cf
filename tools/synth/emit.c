/*
 * Records as text, spelled and laid out as Kineto writes them.
 *
 * The order within a step is Kineto's: operators, frames, memory, host calls, GPU.
 */
#include "emit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void emit_begin(struct emit *e)
{
	scribe_room(&e->scribe);
	if (e->events++)
		PUT(e, ",");
	PUT(e, "\n  {\n    ");
}

void emit_end(struct emit *e)
{
	PUT(e, "\n  }");
}

static void put_lane(struct emit *e, const struct record *rec)
{
	bool gpu = rec->kind == RECORD_WORK || rec->kind == RECORD_SYNC ||
		   rec->kind == RECORD_GPU_NOTE;

	PUT(e, "\"pid\": ");
	scribe_u64(&e->scribe, gpu ? e->gpu : e->pid);
	PUT(e, ", \"tid\": ");
	scribe_u64(&e->scribe, gpu ? (unsigned)stream_number(rec->stream, e->o->rocm)
			       : rec->thread == THREAD_MAIN ? e->pid
							    : e->pid + 97);
}

static void begin_slice(struct emit *e, const struct record *rec, const char *cat, const char *name,
			unsigned number)
{
	emit_begin(e);
	PUT(e, "\"ph\": \"X\", \"cat\": \"");
	scribe_str(&e->scribe, cat);
	PUT(e, "\", \"name\": \"");
	scribe_name(&e->scribe, name, number);
	PUT(e, "\", ");
	put_lane(e, rec);
	PUT(e, ",\n    \"ts\": ");
	scribe_us(&e->scribe, rec->ts);
	PUT(e, ", \"dur\": ");
	scribe_us(&e->scribe, rec->dur);
	PUT(e, ",\n    \"args\": {\n      ");
}

void emit_end_args(struct emit *e)
{
	PUT(e, "\n    }");
	emit_end(e);
}

static void flow(struct emit *e, const struct record *rec, const char *ph, const char *cat,
		 uint32_t id)
{
	emit_begin(e);
	PUT(e, "\"ph\": \"");
	scribe_str(&e->scribe, ph);
	PUT(e, "\", \"id\": ");
	scribe_u64(&e->scribe, id);
	PUT(e, ", ");
	put_lane(e, rec);
	PUT(e, ", \"ts\": ");
	scribe_us(&e->scribe, rec->ts);
	PUT(e, ",\n    \"cat\": \"");
	scribe_str(&e->scribe, cat);
	PUT(e, "\", \"name\": \"");
	scribe_str(&e->scribe, cat);
	if (*ph == 'f')
		PUT(e, "\", \"bp\": \"e\"");
	else
		PUT(e, "\"");
	emit_end(e);
}

/* ---- Events ---- */

static void put_collective(struct emit *e)
{
	PUT(e,
	    "\"Collective name\": \"allreduce\", \"dtype\": \"BFloat16\", \"In msg nelems\": 12596224, "
	    "\"Out msg nelems\": 12596224, \"In split size\": \"[]\", \"Out split size\": \"[]\", "
	    "\"Group size\": ");
	scribe_u64(&e->scribe, e->world);
	PUT(e, ", \"Process Group Name\": \"0\", \"Process Group Description\": \"default_pg\", "
	       "\"Process Group Ranks\": \"[");
	for (unsigned i = 0; i < e->world && i < 64; i++) {
		if (i)
			PUT(e, ", ");
		scribe_u64(&e->scribe, i);
	}
	PUT(e, "]\", \"Global rank start\": 0, \"Global rank stride\": 1, ");
}

static void put_shape(struct emit *e, const struct shape *s)
{
	if (s->collective)
		put_collective(e);
	PUT(e, "\"Concrete Inputs\": ");
	scribe_str(&e->scribe, s->concrete);
	PUT(e, ", \"Input type\": ");
	scribe_str(&e->scribe, s->types);
	PUT(e, ", \"Input Strides\": ");
	scribe_str(&e->scribe, s->strides);
	PUT(e, ", \"Input Dims\": ");
	scribe_str(&e->scribe, s->dims);
	PUT(e, ", ");
}

static void put_index(struct emit *e)
{
	PUT(e, "\"Ev Idx\": ");
	scribe_u64(&e->scribe, e->index++);
}

static void emit_op(struct emit *e, const struct record *rec, unsigned step)
{
	bool op = rec->kind == RECORD_OP;

	begin_slice(e, rec, op ? "cpu_op" : "user_annotation", rec->line->name, step);
	PUT(e, "\"External id\": ");
	scribe_u64(&e->scribe, rec->ext);
	PUT(e, ",\"Record function id\": 0, ");
	if (rec->seq) {
		PUT(e, "\"Sequence number\": ");
		scribe_u64(&e->scribe, rec->seq);
		PUT(e, ", \"Fwd thread id\": ");
		scribe_u64(&e->scribe, rec->thread == THREAD_BACKWARD);
		PUT(e, ", ");
	}
	if (rec->line->shape && e->o->shapes)
		put_shape(e, rec->line->shape);
	put_index(e);
	emit_end_args(e);
	if (rec->flow)
		flow(e, rec, rec->thread == THREAD_BACKWARD ? "f" : "s", "fwdbwd", rec->flow);
}

static void emit_py(struct emit *e, const struct record *rec)
{
	begin_slice(e, rec, "python_function", rec->line->name, rec->layer);
	PUT(e, "\"Python parent id\": ");
	if (rec->up)
		scribe_u64(&e->scribe, rec->up);
	else
		PUT(e, "null");
	PUT(e, ", \"Python id\": ");
	scribe_u64(&e->scribe, rec->py);
	PUT(e, ", ");
	if (!strncmp(rec->line->name, "nn.Module", 9)) {
		PUT(e, "\"Python module id\": ");
		scribe_u64(&e->scribe, rec->layer);
		PUT(e, ", ");
	}
	put_index(e);
	emit_end_args(e);
}

static void emit_memory(struct emit *e, const struct record *rec)
{
	emit_begin(e);
	PUT(e,
	    "\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"s\": \"t\", \"name\": \"[memory]\", ");
	put_lane(e, rec);
	PUT(e, ",\n    \"ts\": ");
	scribe_us(&e->scribe, rec->ts);
	PUT(e, ",\n    \"args\": {\n      \"Total Reserved\": 42949672960, \"Total Allocated\": ");
	scribe_u64(&e->scribe, (uint64_t)rec->seq << 20);
	PUT(e, ", \"Bytes\": ");
	if (rec->frees)
		PUT(e, "-");
	scribe_u64(&e->scribe, rec->other);
	PUT(e, ", \"Addr\": ");
	scribe_u64(&e->scribe, 139988512768000 + ((uint64_t)rec->seq << 20));
	PUT(e, ", \"Device Id\": ");
	scribe_u64(&e->scribe, e->gpu);
	PUT(e, ", \"Device Type\": 1, ");
	put_index(e);
	emit_end_args(e);
}

static void put_ext(struct emit *e, const struct record *rec)
{
	if (!rec->ext)
		return;
	PUT(e, "\"External id\": ");
	scribe_u64(&e->scribe, rec->ext);
	PUT(e, ",\n      ");
}

static void emit_call(struct emit *e, const struct record *rec)
{
	bool other = rec->api == APIS;
	const char *name = other ? rec->line->name : api_name(rec->api, e->o->rocm);

	if (other && e->o->rocm)
		name = "hipStreamIsCapturing";
	begin_slice(e, rec, "cuda_runtime", name, 0);
	put_ext(e, rec);
	if (e->o->rocm)
		PUT(e, "\"cid\": 107, \"correlation\": ");
	else
		PUT(e, "\"cbid\": 211, \"correlation\": ");
	scribe_u64(&e->scribe, rec->corr);
	if (e->o->rocm && rec->api == API_LAUNCH) {
		PUT(e, ", \"kernel\": \"");
		scribe_str(&e->scribe, work_name(&works[rec->line->work], true));
		PUT(e, "\", ");
		scribe_str(&e->scribe, works[rec->line->work].shape);
	}
	emit_end_args(e);
	if (rec->api <= API_SET)
		flow(e, rec, "s", "ac2g", rec->corr);
}

static void emit_work(struct emit *e, const struct record *rec)
{
	static const char *const cats[] = { "kernel", "gpu_memcpy", "gpu_memset" };
	const struct work *w = &works[rec->line->work];

	begin_slice(e, rec, cats[w->kind], work_name(w, e->o->rocm), 0);
	put_ext(e, rec);
	if (w->kind == WORK_KERNEL && !e->o->rocm)
		PUT(e, "\"queued\": 0, ");
	PUT(e, "\"device\": ");
	scribe_u64(&e->scribe, e->gpu);
	PUT(e, ", \"context\": 1,\n      \"stream\": ");
	scribe_u64(&e->scribe, (unsigned)stream_number(w->stream, e->o->rocm));
	PUT(e, ", \"correlation\": ");
	scribe_u64(&e->scribe, rec->corr);
	PUT(e, ",\n      ");
	if (w->class == WORK_COMM)
		put_collective(e);
	if (w->kind == WORK_KERNEL && !e->o->rocm)
		PUT(e, "\"registers per thread\": 168,\n      \"shared memory\": 49152,\n      "
		       "\"blocks per SM\": 1.939394,\n      \"warps per SM\": 15.515152,\n      ");
	scribe_str(&e->scribe, w->shape);
	if (w->kind == WORK_KERNEL && !e->o->rocm)
		PUT(e, ",\n      \"est. achieved occupancy %\": 24");
	emit_end_args(e);
	if (rec->line != &unlinked_line)
		flow(e, rec, "f", "ac2g", rec->corr);
}

static void emit_gpu_note(struct emit *e, const struct record *rec, unsigned step)
{
	begin_slice(e, rec, "gpu_user_annotation", rec->line->name, step);
	PUT(e, "\"External id\": ");
	scribe_u64(&e->scribe, rec->ext);
	emit_end_args(e);
}

static void emit_sync(struct emit *e, const struct record *rec)
{
	bool wait = rec->api == API_WAIT;

	begin_slice(e, rec, "cuda_sync", wait ? "Stream Wait Event" : "Stream Sync", 0);
	put_ext(e, rec);
	if (wait) {
		PUT(e, "\"cuda_sync_kind\": \"Stream Wait Event\",\n      \"wait_on_stream\": ");
		scribe_u64(&e->scribe, (unsigned)stream_number(rec->line->other, e->o->rocm));
		PUT(e, ",\n      \"wait_on_cuda_event_record_corr_id\": ");
		scribe_u64(&e->scribe, rec->other);
		PUT(e, ",\n      \"wait_on_cuda_event_id\": ");
		scribe_u64(&e->scribe, rec->line->stream + 1u);
	} else {
		PUT(e, "\"cuda_sync_kind\": \"Stream Sync\"");
	}
	PUT(e, ",\n      \"stream\": ");
	scribe_u64(&e->scribe, (unsigned)stream_number(rec->stream, e->o->rocm));
	PUT(e, ", \"correlation\": ");
	scribe_u64(&e->scribe, rec->corr);
	PUT(e, ",\n      \"device\": ");
	scribe_u64(&e->scribe, e->gpu);
	PUT(e, ", \"context\": 1");
	emit_end_args(e);
}

void emit_step(struct emit *e, const struct rank *r, unsigned step)
{
	static const uint16_t passes[] = {
		1 << RECORD_OP | 1 << RECORD_NOTE,
		1 << RECORD_PY,
		1 << RECORD_MEMORY,
		1 << RECORD_CALL,
		1 << RECORD_WORK,
		1 << RECORD_GPU_NOTE | 1 << RECORD_SYNC,
	};

	for (unsigned pass = 0; pass < ARRAY_SIZE(passes); pass++) {
		for (uint32_t i = 0; i < r->n; i++) {
			const struct record *rec = &r->records[i];

			if (!(passes[pass] >> rec->kind & 1))
				continue;
			switch ((enum record_kind)rec->kind) {
			case RECORD_OP:
			case RECORD_NOTE:
				emit_op(e, rec, step);
				break;
			case RECORD_PY:
				emit_py(e, rec);
				break;
			case RECORD_CALL:
				emit_call(e, rec);
				break;
			case RECORD_WORK:
				emit_work(e, rec);
				break;
			case RECORD_SYNC:
				if (!e->o->rocm) /* ROCm's profiler writes none */
					emit_sync(e, rec);
				break;
			case RECORD_GPU_NOTE:
				emit_gpu_note(e, rec, step);
				break;
			case RECORD_MEMORY:
				emit_memory(e, rec);
				break;
			}
		}
	}
}

uint64_t emit_size(const struct emit *e)
{
	return e->scribe.size + e->scribe.n;
}

/*
 * ISA-L's output differs by a byte once in some hundred runs on a busy machine; zlib's never
 * does. Small traces are examples whose size is shown; large ones want the speed.
 */
static enum gzout_level level_of(const struct options *o)
{
	if (!o->gz)
		return GZOUT_PLAIN;
	return o->size > ((uint64_t)64 << 20) ? GZOUT_FAST : GZOUT_SMALL;
}

struct emit *emit_open(const struct options *o, const struct rank *r, const char *path)
{
	FILE *f = fopen(path, "wb");
	struct emit *e = calloc(1, sizeof(*e));

	if (!f || !e) {
		fprintf(stderr, "synth: %s: cannot open: %s\n", path, strerror(errno));
		if (f)
			fclose(f);
		free(e);
		return NULL;
	}
	*e = (struct emit){
		.o = o,
		.file = f,
		.path = path,
		.pid = 4242 + r->number,
		.gpu = r->number % 8,
		.world = r->world,
		.base = r->host[THREAD_MAIN].now - 70000,
	};
	scribe_open(&e->scribe, gzout_open(f, path, level_of(o)));
	emit_head(e, r);
	return e;
}

bool emit_close(struct emit *e, nsec until, uint64_t *events)
{
	struct lp_error err;

	emit_tail(e, until);
	scribe_close(&e->scribe);
	*events = e->events;

	bool ok = gzout_close(e->scribe.out, &err);

	if (!ok)
		fprintf(stderr, "synth: %s\n", err.text);
	if (fclose(e->file) != 0 && ok) {
		fprintf(stderr, "synth: %s: cannot write: %s\n", e->path, strerror(errno));
		ok = false;
	}
	free(e);
	return ok;
}
