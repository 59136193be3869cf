#include "analysis/split_write.h"

#include "base/error.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where a copy of an enclosing frame may go: the unit whose slice the thread is in then. */
struct finder {
	const struct split_result *r;
	const uint32_t *unit_of;
};

static uint32_t find_unit(const void *ctx, lane_id lane, nsec t)
{
	const struct finder *f = ctx;
	const struct trace *tr = f->r->work.tr;
	const struct slices *s = &f->r->slices;
	uint32_t process = f->r->roots.on_gpu ? 0 : tr->lanes.at[lane].process;
	uint32_t root = tiles_find(&s->tiles, process, f->r->roots.on_gpu ? NONE : lane, t);

	if (root != NONE)
		return f->unit_of[root];
	if (t >= s->at[s->n + 1].start)
		return f->unit_of[s->n + 1];
	return t < s->at[s->n].end ? f->unit_of[s->n] : NONE;
}

/* unit_of[slice]; slices that no unit holds get the spare unit u->n, which is not written. */
static void map_slices(const struct split_result *r, const struct units *u, uint32_t *unit_of)
{
	for (uint32_t i = 0; i < r->slices.n + 2; i++)
		unit_of[i] = u->n;
	for (uint32_t k = 0; k < u->n; k++)
		for (uint32_t i = u->at[k].first; i < u->at[k].end; i++)
			unit_of[i] = k;
}

static bool starts_before(const struct slice_plan *p, uint32_t a, uint32_t b)
{
	return p->start[a] != p->start[b] ? p->start[a] < p->start[b] : a < b;
}

/* Units come in order of time but for the prologue: insertion moves that one to the front. */
static void order_units(const struct slice_plan *p, uint32_t *order)
{
	for (uint32_t i = 0; i < p->n; i++) {
		uint32_t k = i;

		for (; k > 0 && starts_before(p, i, order[k - 1]); k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
}

static bool write_traces(const struct split_result *r, const struct units *u,
			 struct lp_split_options o, struct split_files *done, struct lp_error *err)
{
	const struct trace *tr = r->work.tr;
	struct arena a = { 0 };
	uint32_t *unit_of = NEW(&a, (size_t)r->slices.n + 2, uint32_t);
	uint32_t *of = NEW(&a, (size_t)tr->ev.n + 1, uint32_t);
	uint32_t *order = NEW(&a, (size_t)u->n + 1, uint32_t);
	nsec *start = NEW(&a, (size_t)u->n + 1, nsec), *end = NEW(&a, (size_t)u->n + 1, nsec);
	const char **path = NEW(&a, (size_t)u->n + 1, const char *);
	struct finder finder = { r, unit_of };
	struct slices_written written;

	map_slices(r, u, unit_of);
	for (uint32_t k = 0; k < u->n; k++) {
		start[k] = r->slices.at[u->at[k].first].start;
		end[k] = r->slices.at[u->at[k].end - 1].end;
		path[k] = arena_print(&a, "%s/%s", o.out_dir, u->at[k].file);
	}
	start[u->n] = INT64_MAX;
	end[u->n] = INT64_MAX;
	for (event_id e = 0; e < tr->ev.n; e++)
		of[e] = r->slices.of[e] < SLICE_ALL ? unit_of[r->slices.of[e]] : r->slices.of[e];
	struct slice_plan plan = {
		u->n + 1,  path,    of,
		start,     end,     order,
		find_unit, &finder, o.threads ? o.threads : (unsigned)sysconf(_SC_NPROCESSORS_ONLN)
	};
	order_units(&plan, order);
	bool ok = write_slices(tr, &plan, &written, err);
	done->clipped = written.clipped;
	done->copies = written.copies;
	arena_free(&a);
	return ok;
}

static bool make_folder(const char *dir, struct lp_error *err)
{
	if (mkdir(dir, 0777) == 0 || errno == EEXIST)
		return true;
	return error_set(err, "%s: cannot create the folder: %s", dir, strerror(errno));
}

bool split_write(const struct split_result *r, const struct units *u, struct lp_split_options o,
		 struct split_files *done, struct lp_error *err)
{
	for (uint32_t k = 0; k < u->n && !done->aborted; k++)
		for (uint32_t i = u->at[k].first; i < u->at[k].end; i++)
			done->gpu_events += r->slices.at[i].gpu_events;
	if (!make_folder(o.out_dir, err))
		return false;
	if (!done->aborted && u->n &&
	    (!write_traces(r, u, o, done, err) || !split_write_details(o.out_dir, r, u, err)))
		return false;
	return split_write_manifest(o.out_dir, r, u, done, err);
}
