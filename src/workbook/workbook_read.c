/*
 * What a path is, told by what is there: a folder, the first bytes of a workbook, the name of
 * a CSV file. Everything else is left to who reads traces.
 */
#include "workbook/workbook_csv.h"
#include "workbook/workbook_xlsx.h"

#include "algo/sort.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

/* "ops.csv" and "ops.csv.gz" are the sheet ops; no name: this is no CSV file. */
static struct str sheet_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct str s = str_of(slash ? slash + 1 : path);

	if (str_ends(s, STR(".gz")))
		s.n -= 3;
	if (!str_ends(s, STR(".csv")) || s.n == 4 || *s.p == '.')
		return (struct str){ 0 };
	s.n -= 4;
	return s;
}

static bool add_csv(struct workbook *b, const char *path, struct lp_error *err)
{
	struct str name = sheet_name(path);
	struct input *in = input_open(path, err);

	return in && workbook_csv(b, in, path, arena_text(&b->arena, name.p, name.n), err);
}

/* ---- folders ---- */

struct listing {
	uint32_t nfiles, cap, nfolders;
	const char **files; /* CSV, by name */
	const char *folder; /* one of those within */
};

static bool name_before(const void *ctx, uint32_t a, uint32_t b)
{
	const char *const *at = ctx;

	return strcmp(at[a], at[b]) < 0;
}

static void sort_files(struct arena *a, struct listing *l)
{
	uint32_t *order = NEW(a, l->nfiles, uint32_t);
	const char **sorted = NEW(a, l->nfiles, const char *);

	for (uint32_t i = 0; i < l->nfiles; i++)
		order[i] = i;
	sort_ids(order, l->nfiles, NEW(a, l->nfiles, uint32_t), name_before, l->files);
	for (uint32_t i = 0; i < l->nfiles; i++)
		sorted[i] = l->files[order[i]];
	l->files = sorted;
}

static void add_file(struct arena *a, struct listing *l, const char *path)
{
	if (l->nfiles == l->cap) {
		l->cap = l->cap ? 2 * l->cap : 32;
		const char **more = NEW(a, l->cap, const char *);
		if (l->nfiles)
			memcpy(more, l->files, l->nfiles * sizeof(*more));
		l->files = more;
	}
	l->files[l->nfiles++] = path;
}

static bool list_folder(struct arena *a, const char *path, struct listing *l, struct lp_error *err)
{
	DIR *dir = opendir(path);
	const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";
	struct stat st;

	*l = (struct listing){ 0 };
	if (!dir)
		return error_set(err, "%s: cannot open: %s", path, strerror(errno));
	for (struct dirent *d; (d = readdir(dir));) {
		const char *file = arena_print(a, "%s%s%s", path, slash, d->d_name);

		if (d->d_name[0] == '.' || stat(file, &st))
			continue;
		if (S_ISDIR(st.st_mode)) {
			l->nfolders++;
			l->folder = file;
		} else if (sheet_name(file).n) {
			add_file(a, l, file);
		}
	}
	closedir(dir);
	sort_files(a, l);
	return true;
}

static enum workbook_answer read_folder(struct workbook *b, const char *path, struct lp_error *err)
{
	struct listing l;

	if (!list_folder(&b->arena, path, &l, err))
		return WORKBOOK_REFUSED;
	if (!l.nfiles && l.nfolders == 1 && !list_folder(&b->arena, l.folder, &l, err))
		return WORKBOOK_REFUSED;
	if (!l.nfiles) {
		error_set(err,
			  "%s: no CSV files in this folder; a report is one file per sheet, as "
			  "longpole report -o FOLDER/ writes it",
			  path);
		return WORKBOOK_REFUSED;
	}
	for (uint32_t i = 0; i < l.nfiles; i++)
		if (!add_csv(b, l.files[i], err))
			return WORKBOOK_REFUSED;
	return WORKBOOK_READ;
}

/* ---- files ---- */

static bool is_zip(const char *path)
{
	char head[4] = "";
	FILE *f = fopen(path, "rb");
	bool zip = f && fread(head, 1, 4, f) == 4 && !memcmp(head, "PK\3\4", 4);

	if (f)
		fclose(f);
	return zip;
}

enum workbook_answer workbook_read(struct workbook *b, const char *path, struct lp_error *err)
{
	struct stat st;

	if (!strcmp(path, "-") || stat(path, &st))
		return WORKBOOK_OTHER; /* who reads traces says what is wrong */
	if (S_ISDIR(st.st_mode))
		return read_folder(b, path, err);
	if (!S_ISREG(st.st_mode))
		return WORKBOOK_OTHER;
	if (sheet_name(path).n)
		return add_csv(b, path, err) ? WORKBOOK_READ : WORKBOOK_REFUSED;
	if (is_zip(path) || str_ends(str_of(path), STR(".xlsx")))
		return workbook_xlsx(b, path, err) ? WORKBOOK_READ : WORKBOOK_REFUSED;
	return WORKBOOK_OTHER;
}
