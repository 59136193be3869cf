#include "analysis/job.h"

#include "algo/sort.h"
#include "base/json.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Which files ---- */

struct list {
	struct job *job;
	uint32_t cap;
};

static void add_file(struct list *l, const char *path, const char *name)
{
	struct job *j = l->job;

	if (j->n == l->cap) {
		l->cap = 2 * l->cap + 16;
		struct job_file *more = NEW(j->arena, l->cap, struct job_file);
		if (j->n)
			memcpy(more, j->at, j->n * sizeof(*more));
		j->at = more;
	}
	j->at[j->n++] = (struct job_file){ .path = path, .name = name, .rank = -1 };
}

/* Plain files whose names do not begin with a dot; folders below it are other jobs. */
static bool add_folder(struct list *l, const char *path, struct lp_error *err)
{
	struct arena *a = l->job->arena;
	DIR *dir = opendir(path);
	struct stat st;

	if (!dir)
		return error_set(err, "%s: cannot open: %s", path, strerror(errno));
	const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";
	for (struct dirent *d; (d = readdir(dir));) {
		const char *file = arena_print(a, "%s%s%s", path, slash, d->d_name);
		if (d->d_name[0] != '.' && !stat(file, &st) && S_ISREG(st.st_mode))
			add_file(l, file, arena_print(a, "%s", d->d_name));
	}
	closedir(dir);
	return true;
}

static bool name_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct job_file *at = ctx;

	return strcmp(at[a].name, at[b].name) < 0;
}

static void order_by(struct job *j, sort_before *before)
{
	struct arena scratch = { 0 };
	uint32_t *order = NEW(&scratch, j->n, uint32_t);
	struct job_file *old = NEW(&scratch, j->n, struct job_file);

	for (uint32_t i = 0; i < j->n; i++) {
		order[i] = i;
		old[i] = j->at[i];
	}
	sort_ids(order, j->n, NEW(&scratch, j->n, uint32_t), before, old);
	for (uint32_t i = 0; i < j->n; i++)
		j->at[i] = old[order[i]];
	arena_free(&scratch);
}

bool job_list(struct job *j, const char *const *paths, unsigned n, struct lp_error *err)
{
	struct list l = { j, 0 };
	struct stat st;

	for (unsigned i = 0; i < n; i++) {
		if (stat(paths[i], &st))
			return error_set(err, "%s: cannot open: %s", paths[i], strerror(errno));
		if (!S_ISDIR(st.st_mode))
			add_file(&l, paths[i], paths[i]);
		else if (!add_folder(&l, paths[i], err))
			return false;
	}
	if (!j->n)
		return error_set(err, "%s: no files in this folder", paths[0]);
	order_by(j, name_before);
	for (uint32_t i = 0; i < j->n; i++)
		j->at[i].row = i;
	return true;
}

/* ---- What files say ---- */

static bool meta_number(const struct trace *tr, const char *key, int64_t *out)
{
	struct str info = trace_meta(tr, "distributedInfo");
	struct json j;

	if (!info.p)
		return false;
	j = json_open(json_get(info, key));
	return json_next(&j) && json_i64(&j, out) && *out >= 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* "capture_4_decode": an annotation around the capture of one graph. */
static bool names_capture(struct str name)
{
	size_t i = 8;

	if (!str_starts(name, STR("capture_")))
		return false;
	while (i < name.n && name.p[i] >= '0' && name.p[i] <= '9')
		i++;
	return i > 8 && i < name.n && name.p[i] == '_';
}

bool job_is_capture(const char *name, const struct trace *tr)
{
	const char *file = base_name(name);
	uint32_t captures = 0, others = 0;

	if (strstr(file, "graph_capture") || strstr(file, "capture_trace"))
		return true;
	for (event_id e = 0; tr->nkind[KIND_ANNOTATION] && e < tr->ev.n; e++)
		if (tr->ev.kind[e] == KIND_ANNOTATION) {
			bool capture = names_capture(trace_name(tr, e));
			captures += capture;
			others += !capture &&
				  !str_contains(trace_name(tr, e), STR("PyTorch Profiler"));
		}
	return captures > others;
}

void job_note_trace(struct job *j, struct job_file *f, const struct trace *tr)
{
	int64_t size;

	if (meta_number(tr, "world_size", &size))
		j->size = MAX_OF(j->size, size);
	if (job_is_capture(f->name, tr)) {
		f->part = JOB_CAPTURE;
		f->from = "capture: not analysed";
	} else if (meta_number(tr, "rank", &f->rank)) {
		f->from = "distributedInfo";
	}
}

void job_note_failure(struct job *j, struct job_file *f, const char *why)
{
	size_t n = strlen(f->path);

	if (!strncmp(why, f->path, n) && !strncmp(why + n, ": ", 2))
		why += n + 2;
	f->part = JOB_SKIPPED;
	f->from = arena_print(j->arena, "skipped: %s", why);
}

/* ---- What names say ---- */

/* The number after `word` and a separator or none, as in "rank-1", "TP_2"; no letter before it. */
static bool number_after(const char *name, const char *word, int64_t *out)
{
	size_t n = strlen(word);

	for (const char *p = name; *p; p++) {
		if (strncasecmp(p, word, n) || (p > name && isalpha((unsigned char)p[-1])))
			continue;
		const char *digits = p + n + (p[n] && strchr("-_.=", p[n]) != NULL);
		size_t len = strspn(digits, "0123456789");
		if (len && str_i64((struct str){ digits, len }, out))
			return true;
	}
	return false;
}

static bool parallel_of(const char *name, struct parallel *p)
{
	bool tp = number_after(name, "TP", &p->tp), dp = number_after(name, "DP", &p->dp);
	bool pp = number_after(name, "PP", &p->pp);

	p->tp = tp ? p->tp : 0;
	p->dp = dp ? p->dp : 0;
	p->pp = pp ? p->pp : 0;
	return tp || dp || pp;
}

/* Tensor ranks are neighbours, then data, then pipeline ranks. */
static bool rank_of_parallel(const struct job *j, const struct parallel *p, int64_t *rank)
{
	int64_t groups;

	return !__builtin_mul_overflow(p->pp, j->parallel.dp, &groups) &&
	       !__builtin_add_overflow(groups, p->dp, &groups) &&
	       !__builtin_mul_overflow(groups, j->parallel.tp, rank) &&
	       !__builtin_add_overflow(*rank, p->tp, rank);
}

static const char *say_parallel(struct job *j, const struct parallel *p)
{
	const char *text = "";

	if (p->tp || (!p->dp && !p->pp))
		text = arena_print(j->arena, "TP-%" PRId64, p->tp);
	if (p->dp)
		text = arena_print(j->arena, "%s%sDP-%" PRId64, text, *text ? " " : "", p->dp);
	if (p->pp)
		text = arena_print(j->arena, "%s%sPP-%" PRId64, text, *text ? " " : "", p->pp);
	return arena_print(j->arena, "file name (%s)", text);
}

static void measure_parallel(struct job *j)
{
	struct parallel p, *most = &j->parallel;

	*most = (struct parallel){ 1, 1, 1 };
	for (uint32_t i = 0; i < j->n; i++)
		if (j->at[i].part == JOB_RANK && parallel_of(base_name(j->at[i].name), &p)) {
			most->tp = MAX_OF(most->tp, MIN_OF(p.tp, INT32_MAX) + 1);
			most->dp = MAX_OF(most->dp, MIN_OF(p.dp, INT32_MAX) + 1);
			most->pp = MAX_OF(most->pp, MIN_OF(p.pp, INT32_MAX) + 1);
		}
}

static void read_name(struct job *j, struct job_file *f)
{
	const char *name = base_name(f->name);
	struct parallel p;

	if (number_after(name, "rank", &f->rank))
		f->from = "file name";
	else if (parallel_of(name, &p) && rank_of_parallel(j, &p, &f->rank))
		f->from = say_parallel(j, &p);
	else
		f->rank = -1;
}

/* ---- Free numbers ---- */

static bool is_taken(const struct job *j, int64_t rank)
{
	for (uint32_t i = 0; i < j->n; i++)
		if (j->at[i].rank == rank)
			return true;
	return false;
}

static void assign_ranks(struct job *j)
{
	int64_t next = 0;

	for (uint32_t i = 0; i < j->n; i++) {
		struct job_file *f = &j->at[i];
		if (f->part != JOB_RANK || f->rank >= 0)
			continue;
		while (is_taken(j, next))
			next++;
		f->rank = next;
		f->from = "assigned";
		f->assigned = true;
	}
}

static bool file_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct job_file *x = ctx, *y = x + b;

	x += a;
	if (x->part != y->part)
		return x->part < y->part;
	return x->rank != y->rank ? x->rank < y->rank : x->row < y->row;
}

void job_settle(struct job *j)
{
	measure_parallel(j);
	for (uint32_t i = 0; i < j->n; i++)
		if (j->at[i].part == JOB_RANK && j->at[i].rank < 0)
			read_name(j, &j->at[i]);
	assign_ranks(j);
	order_by(j, file_before);
}
