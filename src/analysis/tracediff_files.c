#include "analysis/tracediff_files.h"

#include "analysis/tracediff_stats.h"

#include <errno.h>
#include <sys/stat.h>

struct report {
	const struct diff_sides *d;
	const struct tracediff_merged *m;
	bool prune_non_gpu;
	struct stats stats;
	struct stats_groups groups;
};

static bool write_tree(struct report *r, FILE *out)
{
	return tracediff_write_tree(r->d, r->m, r->prune_non_gpu, out);
}

static bool write_stats(struct report *r, FILE *out)
{
	return stats_write(&r->stats, out);
}

static bool write_summary(struct report *r, FILE *out)
{
	return stats_write_groups(&r->stats, &r->groups, out);
}

static bool write_map1(struct report *r, FILE *out)
{
	return stats_write_map(&r->stats, 0, out);
}

static bool write_map2(struct report *r, FILE *out)
{
	return stats_write_map(&r->stats, 1, out);
}

static bool write_maps(struct report *r, FILE *out)
{
	return stats_write_maps(&r->stats, &r->groups, out);
}

static const struct {
	const char *name;
	bool (*write)(struct report *r, FILE *out);
} files[] = {
	{ "merged_tree_output.txt", write_tree },
	{ "diff_stats.csv", write_stats },
	{ "diff_stats_unique_args_summary.csv", write_summary },
	{ "cpu_op_map_trace1.json", write_map1 },
	{ "cpu_op_map_trace2.json", write_map2 },
	{ "cpu_op_map.json", write_maps },
};

static bool write_file(struct report *r, size_t i, const char *folder, struct lp_error *err)
{
	struct arena a = { 0 };
	char *path = arena_print(&a, "%s/%s", folder, files[i].name);
	char *temporary = arena_print(&a, "%s.part", path);
	FILE *out = fopen(temporary, "wb");
	bool ok = out && files[i].write(r, out);

	if (out)
		ok &= !fclose(out);
	ok = ok && !rename(temporary, path);
	if (!ok) {
		error_set(err, "%s: cannot write: %s", path, strerror(errno));
		if (out)
			remove(temporary);
	}
	arena_free(&a);
	return ok;
}

bool tracediff_write_files(const struct diff_sides *d, const struct tracediff_merged *m,
			   bool prune_non_gpu, const char *folder, struct lp_error *err)
{
	struct report r = { .d = d, .m = m, .prune_non_gpu = prune_non_gpu };
	bool ok = true;

	if (mkdir(folder, 0777) && errno != EEXIST)
		return error_set(err, "%s: cannot make the folder: %s", folder, strerror(errno));
	r.stats = stats_new(d, m);
	r.groups = stats_group(&r.stats);
	stats_rename(&r.stats, &r.groups);
	for (size_t i = 0; ok && i < ARRAY_SIZE(files); i++)
		ok = write_file(&r, i, folder, err);
	stats_free(&r.stats);
	return ok;
}
