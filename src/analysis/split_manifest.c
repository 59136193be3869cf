#include "analysis/split_write.h"

#include "base/error.h"
#include "base/jsonw.h"

#include <errno.h>
#include <math.h>

/* A file that appears under its name when it is whole. */
struct saved {
	struct arena arena;
	char *path, *part;
	struct out out;
};

static bool save_open(struct saved *s, const char *dir, const char *name, struct lp_error *err)
{
	*s = (struct saved){ 0 };
	s->path = arena_print(&s->arena, "%s/%s", dir, name);
	s->part = arena_print(&s->arena, "%s.part", s->path);
	s->out.file = fopen(s->part, "w");
	if (s->out.file)
		return true;
	error_set(err, "%s: cannot write: %s", s->path, strerror(errno));
	arena_free(&s->arena);
	return false;
}

static bool save_close(struct saved *s, struct lp_error *err)
{
	out_flush(&s->out);
	bool bad = ferror(s->out.file) != 0;
	bad |= fclose(s->out.file) != 0;
	bool ok = !bad && rename(s->part, s->path) == 0;
	if (!ok)
		error_set(err, "%s: cannot write: %s", s->path, strerror(errno));
	arena_free(&s->arena);
	return ok;
}

/* ---- objects of one line a key ---- */

static void key(struct out *o, const char *name, bool *begun)
{
	out_text(o, *begun ? ",\n    " : "\n    ");
	*begun = true;
	jsonw_text(o, name);
	out_text(o, ": ");
}

static void put_int(struct out *o, const char *name, int64_t v, bool *begun)
{
	key(o, name, begun);
	out_i64(o, v);
}

static void put_text(struct out *o, const char *name, const char *v, bool *begun)
{
	key(o, name, begun);
	jsonw_text(o, v);
}

static void put_bool(struct out *o, const char *name, bool v, bool *begun)
{
	key(o, name, begun);
	out_text(o, v ? "true" : "false");
}

/* Four digits, as readers of the original's manifest expect; left out if not audited. */
static void put_share(struct out *o, const char *name, double v, bool *begun)
{
	if (isnan(v))
		return;
	key(o, name, begun);
	double rounded = round(v * 1e4) / 1e4;
	if (rounded == floor(rounded))
		out_print(o, "%.1f", rounded);
	else
		out_print(o, "%g", rounded);
}

/* ---- phases of a unit ---- */

struct phase_sums {
	uint32_t n[4];
	int64_t batch, requests, steps;
};

static struct phase_sums sum_phases(const struct split_result *r, uint32_t first, uint32_t end)
{
	struct phase_sums p = { 0 };

	for (uint32_t i = first; i < end && i < r->slices.n; i++) {
		const struct step_info *s = &r->roots.root[i].step;

		p.n[step_phase_of(s)]++;
		p.batch += s->batch_size;
		p.requests += s->context_requests + s->generation_requests;
		p.steps++;
	}
	return p;
}

static int64_t mean(int64_t sum, int64_t n)
{
	return n ? sum / n : 0;
}

static void put_phases(struct out *o, const struct phase_sums *p)
{
	out_print(o, "{\"num_prefill\": %u, \"num_prefilldecode\": %u, \"num_decode\": %u, ",
		  p->n[PHASE_PREFILL], p->n[PHASE_MIXED], p->n[PHASE_DECODE]);
	out_print(o, "\"avg_bs\": %lld, \"avg_conc\": %lld}", (long long)mean(p->batch, p->steps),
		  (long long)mean(p->requests, p->steps));
}

/* ---- the manifest ---- */

static void put_findings(struct out *o, const struct split_result *r, bool *begun)
{
	const struct root_set *s = &r->roots;

	put_int(o, "status", s->status, begun);
	put_text(o, "status_text", split_status_text(s->status), begun);
	put_text(o, "method", s->method, begun);
	put_text(o, "phase_confidence", s->phase_confidence, begun);
	put_int(o, "n_roots", s->n, begun);
	put_text(o, "attribution_strategy", s->strategy, begun);
	put_share(o, "coverage_any_annotation", s->coverage_any, begun);
	put_share(o, "coverage_selected_roots", s->coverage_selected, begun);
	put_share(o, "coverage_root_spans_only", s->coverage_spans, begun);
	put_share(o, "root_span_share", s->span_share, begun);
	if (s->skeleton.p) {
		key(o, "root_family_skeleton", begun);
		jsonw_str(o, s->skeleton);
	}
	put_share(o, "branch_coverage", s->branch_coverage, begun);
	if (s->branch_source)
		put_text(o, "branch_source", s->branch_source, begun);
	if (s->period)
		put_int(o, "period", s->period, begun);
	if (s->dropped_low_gpu)
		put_int(o, "dropped_low_gpu_roots", s->dropped_low_gpu, begun);
	if (s->bookends)
		put_bool(o, "bookend_enhancement", true, begun);
	if (s->bookends && r->work.total) {
		put_share(o, "warmup_gpu_share", (double)s->before_ns / (double)r->work.total,
			  begun);
		put_share(o, "wrapup_gpu_share", (double)s->after_ns / (double)r->work.total,
			  begun);
	}
	put_int(o, "audited_gpu_ns", s->audited_ns, begun);
	put_int(o, "set_apart_gpu_ns", s->apart_ns, begun);
	if (s->reason)
		put_text(o, "reason", s->reason, begun);
}

static void put_retention(struct out *o, const struct split_result *r, const struct units *u,
			  const struct split_files *f, bool *begun)
{
	const struct slices *s = &r->slices;
	uint32_t unlinked = 0;

	for (uint32_t i = 0; s->n && i < s->n + 2; i++)
		unlinked += s->at[i].unlinked;
	put_int(o, "n_gpu_events_extracted", (int64_t)f->gpu_events, begun);
	put_int(o, "n_gpu_events_prologue", s->at[s->n].gpu_events, begun);
	put_int(o, "n_gpu_events_epilogue", s->at[s->n + 1].gpu_events, begun);
	put_int(o, "n_gpu_events_without_launch", unlinked, begun);
	if (!u->all)
		return;
	put_bool(o, "gpu_events_duplicated", f->gpu_events > r->work.n, begun);
	put_share(o, "gpu_event_retention",
		  r->work.n ? (double)f->gpu_events / (double)r->work.n : 1, begun);
}

bool split_write_manifest(const char *dir, const struct split_result *r, const struct units *u,
			  const struct split_files *f, struct lp_error *err)
{
	struct saved s;
	bool begun = false;

	if (!save_open(&s, dir, "split_manifest.json", err))
		return false;
	out_char(&s.out, '{');
	put_findings(&s.out, r, &begun);
	put_bool(&s.out, "gap_fill", true, &begun);
	if (r->slices.n)
		put_int(&s.out, "n_overlapping_roots", r->slices.tiles.noverlaps, &begun);
	put_int(&s.out, "n_gpu_events_in_trace", r->work.n, &begun);
	if (f->aborted) {
		put_bool(&s.out, "aborted", true, &begun);
	} else {
		put_retention(&s.out, r, u, f, &begun);
		put_int(&s.out, "n_frames_clipped", (int64_t)f->clipped, &begun);
		put_int(&s.out, "n_frame_copies", (int64_t)f->copies, &begun);
		struct phase_sums p = sum_phases(r, 0, r->slices.n);
		key(&s.out, "phase", &begun);
		put_phases(&s.out, &p);
	}
	out_text(&s.out, "\n}\n");
	return save_close(&s, err);
}

/* ---- execution details ---- */

struct unit_sums {
	int64_t events, gpu_events;
	nsec gpu_sum, gpu_span;
};

static struct unit_sums sum_unit(const struct split_result *r, const struct unit *u)
{
	struct unit_sums t = { 0 };

	for (uint32_t i = u->first; i < u->end; i++) {
		const struct slice *s = &r->slices.at[i];

		t.events += (int64_t)s->host_events + s->gpu_events;
		t.gpu_events += s->gpu_events;
		t.gpu_sum += s->gpu_sum;
		t.gpu_span += s->gpu_first == NSEC_NONE ? 0 : s->gpu_last - s->gpu_first;
	}
	return t;
}

static void put_us(struct out *o, nsec t)
{
	out_print(o, "%lld.%03lld", (long long)(t / 1000), (long long)(t % 1000));
}

static void put_step(struct out *o, const struct root *root)
{
	const struct step_info *s = &root->step;

	out_text(o, "{\"name\": ");
	jsonw_str(o, root->name);
	out_print(o, ", \"assumed\": %s", root->phase_read ? "false" : "true");
	out_print(o, ", \"batch_size\": %lld, \"num_requests\": %lld", (long long)s->batch_size,
		  (long long)(s->context_requests + s->generation_requests));
	out_print(o, ", \"context_requests\": %lld, \"context_sum\": %lld",
		  (long long)s->context_requests, (long long)s->context_sum);
	out_print(o, ", \"generation_requests\": %lld, \"generation_sum\": %lld",
		  (long long)s->generation_requests, (long long)s->generation_sum);
	if (s->tier == MARKER_DETAILED) {
		out_print(o, ", \"c_sq\": %lld, \"c_sk\": %lld, \"c_sqsq\": %lld, \"c_sqsk\": %lld",
			  (long long)s->c_sq, (long long)s->c_sk, (long long)s->c_sqsq,
			  (long long)s->c_sqsk);
		out_print(o, ", \"g_sq\": %lld, \"g_sk\": %lld, \"g_sqsq\": %lld, \"g_sqsk\": %lld",
			  (long long)s->g_sq, (long long)s->g_sk, (long long)s->g_sqsq,
			  (long long)s->g_sqsk);
	}
	out_char(o, '}');
}

static void put_unit(struct out *o, const struct split_result *r, const struct unit *u,
		     uint32_t idx, const char *dir)
{
	struct unit_sums t = sum_unit(r, u);
	struct phase_sums p = sum_phases(r, u->first, u->end);

	out_print(o, "%s\n  {\"idx\": %u, \"output_path\": ", idx ? "," : "", idx);
	char path[4096];
	snprintf(path, sizeof(path), "%s/%s", dir, u->file);
	jsonw_text(o, path);
	out_print(o, ", \"kind\": \"%s\", \"event_count\": %lld, \"num_gpu_events\": %lld",
		  u->label, (long long)t.events, (long long)t.gpu_events);
	out_text(o, ", \"gpu_duration\": ");
	put_us(o, t.gpu_span);
	out_text(o, ", \"gpu_busy_duration\": ");
	put_us(o, t.gpu_sum);
	out_text(o, ",\n   \"steps\": [");
	for (uint32_t i = u->first; i < u->end && i < r->slices.n; i++) {
		if (i > u->first)
			out_text(o, ", ");
		put_step(o, &r->roots.root[i]);
	}
	out_text(o, "],\n   \"phase\": ");
	put_phases(o, &p);
	out_char(o, '}');
}

static void put_csv(struct out *o, const struct split_result *r, const struct unit *u, uint32_t idx,
		    const char *dir)
{
	struct unit_sums t = sum_unit(r, u);
	struct phase_sums p = sum_phases(r, u->first, u->end);

	out_print(o, "%u,\"", idx);
	for (const char *c = dir; *c; c++) {
		if (*c == '"')
			out_char(o, '"');
		out_char(o, *c);
	}
	out_print(o, "/%s\",%lld,%lld,%lld.%02lld,%lld.%02lld", u->file, (long long)t.events,
		  (long long)t.gpu_events, (long long)(t.gpu_span / 1000),
		  (long long)(t.gpu_span % 1000 / 10), (long long)(t.gpu_sum / 1000),
		  (long long)(t.gpu_sum % 1000 / 10));
	out_print(o, ",%u,%u,%u,%lld,%lld,%lld\r\n", p.n[PHASE_PREFILL], p.n[PHASE_MIXED],
		  p.n[PHASE_DECODE], (long long)mean(p.batch, p.steps),
		  (long long)mean(p.requests, p.steps), (long long)p.steps);
}

bool split_write_details(const char *dir, const struct split_result *r, const struct units *u,
			 struct lp_error *err)
{
	struct saved s;

	if (!save_open(&s, dir, "execution_details.json", err))
		return false;
	out_char(&s.out, '[');
	for (uint32_t k = 0; k < u->n; k++)
		put_unit(&s.out, r, &u->at[k], k, dir);
	out_text(&s.out, "\n]\n");
	if (!save_close(&s, err) || !save_open(&s, dir, "execution_details.csv", err))
		return false;
	out_text(&s.out,
		 "idx,output_path,event_count,num_gpu_events,gpu_duration,gpu_busy_duration,"
		 "phase_num_prefill,phase_num_prefilldecode,phase_num_decode,phase_avg_bs,"
		 "phase_avg_conc,num_steps\r\n");
	for (uint32_t k = 0; k < u->n; k++)
		put_csv(&s.out, r, &u->at[k], k, dir);
	return save_close(&s, err);
}
