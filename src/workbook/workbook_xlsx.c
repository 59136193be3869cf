/*
 * From the package down: xl/workbook.xml names the sheets, each with the id of a
 * relationship; xl/_rels/workbook.xml.rels says which part that is.
 *
 *	<sheet name="GEMM" r:id="rId5"/>      <Relationship Id="rId5"
 *Target="worksheets/sheet5.xml"/>
 */
#include "workbook/workbook_xlsx.h"

#include "workbook/xlsx_sheet.h"

struct relation {
	const char *id, *target;
	bool shared; /* the shared texts */
};

struct contents {
	struct arena arena;
	uint32_t nsheets, nrelations;
	struct column sheets; /* struct named */
	struct column relations;
	const char *fault;
};

struct named {
	const char *name, *relation;
};

#define MOST 65536 /* sheets and relationships */

static const char *keep(struct contents *c, const char *text)
{
	return text ? arena_text(&c->arena, text, strlen(text)) : "";
}

static void on_sheet(void *ctx, const char *name, const char **attributes)
{
	struct contents *c = ctx;

	if (strcmp(name, "sheet") != 0)
		return;
	if (c->nsheets == MOST) {
		c->fault = "more than 65,536 sheets";
		return;
	}
	column_reserve(&c->sheets, (c->nsheets + 1) * sizeof(struct named));
	((struct named *)c->sheets.at)[c->nsheets++] =
		(struct named){ keep(c, xlsx_part_attribute(attributes, "name")),
				keep(c, xlsx_part_attribute(attributes, "id")) };
}

static void on_relation(void *ctx, const char *name, const char **attributes)
{
	struct contents *c = ctx;
	const char *type = xlsx_part_attribute(attributes, "Type");

	if (strcmp(name, "Relationship") != 0)
		return;
	if (c->nrelations == MOST) {
		c->fault = "more than 65,536 relationships";
		return;
	}
	column_reserve(&c->relations, (c->nrelations + 1) * sizeof(struct relation));
	((struct relation *)c->relations.at)[c->nrelations++] = (struct relation){
		keep(c, xlsx_part_attribute(attributes, "Id")),
		keep(c, xlsx_part_attribute(attributes, "Target")),
		type && str_ends(str_of(type), STR("/sharedStrings")),
	};
}

static void on_end(void *ctx, const char *name)
{
}

static bool read_contents(struct xlsx_package *p, struct contents *c, struct lp_error *err)
{
	struct xlsx_handlers sheets = { on_sheet, on_end, NULL, &c->fault };
	struct xlsx_handlers relations = { on_relation, on_end, NULL, &c->fault };

	return xlsx_part_read(p, "xl/workbook.xml", &sheets, c, err) &&
	       xlsx_part_read(p, "xl/_rels/workbook.xml.rels", &relations, c, err);
}

/* Targets are relative to xl/, or begin with a slash. */
static const char *part_of(struct contents *c, const struct relation *r)
{
	return r->target[0] == '/' ? r->target + 1 : arena_print(&c->arena, "xl/%s", r->target);
}

static const struct relation *find_relation(const struct contents *c, const char *id)
{
	const struct relation *at = c->relations.at;

	for (uint32_t i = 0; i < c->nrelations; i++)
		if (id ? !strcmp(at[i].id, id) : at[i].shared)
			return &at[i];
	return NULL;
}

static bool read_shared(struct workbook *b, struct xlsx_package *p, struct contents *c,
			struct xlsx_shared *shared, struct lp_error *err)
{
	const struct relation *r = find_relation(c, NULL);

	return !r || xlsx_text_read_shared(p, part_of(c, r), &b->texts, shared, err);
}

static bool read_sheet(struct workbook *b, struct xlsx_package *p, struct contents *c,
		       const struct named *sheet, const struct xlsx_shared *shared,
		       struct lp_error *err)
{
	const struct relation *r = find_relation(c, sheet->relation);
	struct grid_maker m = { .texts = &b->texts };
	const char *path = xlsx_part_path(p);

	if (!r)
		return error_set(err, "%s: sheet %s: its part is not in the workbook", path,
				 sheet->name);
	if (!xlsx_sheet_read(p, part_of(c, r), shared, &m, err)) {
		column_free(&m.cells);
		return false;
	}
	return workbook_add(b, path, sheet->name, &m, err);
}

static bool read_package(struct workbook *b, struct xlsx_package *p, struct lp_error *err)
{
	struct contents c = { 0 };
	struct xlsx_shared shared = { 0 };
	bool whole = read_contents(p, &c, err) && read_shared(b, p, &c, &shared, err);

	for (uint32_t i = 0; whole && i < c.nsheets; i++)
		whole = read_sheet(b, p, &c, (const struct named *)c.sheets.at + i, &shared, err);
	column_free(&shared.at);
	column_free(&c.sheets);
	column_free(&c.relations);
	arena_free(&c.arena);
	return whole;
}

static bool read_and_close(struct workbook *b, struct xlsx_package *p, struct lp_error *err)
{
	bool whole = p && read_package(b, p, err);

	if (p)
		xlsx_part_close(p);
	return whole;
}

bool workbook_xlsx(struct workbook *b, const char *path, struct lp_error *err)
{
	return read_and_close(b, xlsx_part_open(path, err), err);
}

bool workbook_xlsx_memory(struct workbook *b, const char *name, const void *bytes, size_t n,
			  struct lp_error *err)
{
	return read_and_close(b, xlsx_part_open_memory(name, bytes, n, err), err);
}
