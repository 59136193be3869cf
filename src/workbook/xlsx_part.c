#include "workbook/xlsx_part.h"

#include "base/arena.h"
#include "workbook/xlsx_library.h"

#include <stdlib.h>

#define PIECE (64 << 10)

struct xlsx_package {
	const struct xlsx_library *l;
	zip_t *zip;
	uint64_t inflated; /* so far */
	char path[];
};

struct reading {
	const struct xlsx_library *l;
	XML_Parser parser;
	const struct xlsx_handlers *h;
	void *ctx;
	const char *fault; /* found here */
};

static struct xlsx_package *opened(const struct xlsx_library *l, const char *path, zip_t *zip,
				   zip_error_t *why, struct lp_error *err)
{
	struct xlsx_package *p = zip ? malloc(sizeof(*p) + strlen(path) + 1) : NULL;

	if (p) {
		p->l = l;
		p->zip = zip;
		p->inflated = 0;
		strcpy(p->path, path);
	} else if (zip) {
		arena_exhausted(sizeof(*p));
	} else {
		error_set(err, "%s: not a whole Excel workbook: %s", path,
			  l->zip_error_strerror(why));
	}
	l->zip_error_fini(why);
	return p;
}

struct xlsx_package *xlsx_part_open(const char *path, struct lp_error *err)
{
	const struct xlsx_library *l = xlsx_library(err);
	zip_error_t why;
	int code = 0;

	if (!l)
		return NULL;
	zip_t *zip = l->zip_open(path, ZIP_RDONLY, &code);

	l->zip_error_init_with_code(&why, code);
	return opened(l, path, zip, &why, err);
}

struct xlsx_package *xlsx_part_open_memory(const char *name, const void *bytes, size_t n,
					   struct lp_error *err)
{
	const struct xlsx_library *l = xlsx_library(err);
	zip_error_t why;

	if (!l)
		return NULL;
	l->zip_error_init(&why);
	zip_source_t *source = l->zip_source_buffer_create(bytes, n, 0, &why);
	zip_t *zip = source ? l->zip_open_from_source(source, ZIP_RDONLY, &why) : NULL;

	if (source && !zip)
		l->zip_source_free(source);
	return opened(l, name, zip, &why, err);
}

void xlsx_part_close(struct xlsx_package *p)
{
	p->l->zip_discard(p->zip);
	free(p);
}

const char *xlsx_part_path(const struct xlsx_package *p)
{
	return p->path;
}

/* ---- XML ---- */

static const char *local(const char *name)
{
	const char *colon = strchr(name, ':');

	return colon ? colon + 1 : name;
}

const char *xlsx_part_attribute(const char **attributes, const char *name)
{
	for (; attributes[0]; attributes += 2)
		if (!strcmp(local(attributes[0]), name))
			return attributes[1];
	return NULL;
}

static void stop_if_given_up(struct reading *r)
{
	if (*r->h->fault || r->fault)
		r->l->XML_StopParser(r->parser, XML_FALSE);
}

static void XMLCALL on_start(void *data, const char *name, const char **attributes)
{
	struct reading *r = data;

	r->h->start(r->ctx, local(name), attributes);
	stop_if_given_up(r);
}

static void XMLCALL on_end(void *data, const char *name)
{
	struct reading *r = data;

	r->h->end(r->ctx, local(name));
	stop_if_given_up(r);
}

static void XMLCALL on_text(void *data, const char *p, int n)
{
	struct reading *r = data;

	r->h->text(r->ctx, (struct str){ p, (size_t)n });
	stop_if_given_up(r);
}

static void XMLCALL on_document_type(void *data, const char *name, const char *system,
				     const char *public, int internal)
{
	struct reading *r = data;

	r->fault = "a document type, which no workbook has";
	stop_if_given_up(r);
}

static XML_Parser parser_for(struct reading *r)
{
	XML_Parser parser = r->l->XML_ParserCreate(NULL);

	if (!parser)
		arena_exhausted(PIECE);
	r->l->XML_SetUserData(parser, r);
	r->l->XML_SetElementHandler(parser, on_start, on_end);
	if (r->h->text)
		r->l->XML_SetCharacterDataHandler(parser, on_text);
	r->l->XML_SetStartDoctypeDeclHandler(parser, on_document_type);
	r->parser = parser;
	return parser;
}

static bool fail_xml(const struct xlsx_package *p, const char *part, const struct reading *r,
		     struct lp_error *err)
{
	const char *fault = *r->h->fault ? *r->h->fault : r->fault;
	unsigned long line = r->l->XML_GetCurrentLineNumber(r->parser);

	if (!fault)
		fault = r->l->XML_ErrorString(r->l->XML_GetErrorCode(r->parser));
	return error_set(err, "%s: %s, line %lu, column %lu: %s", p->path, part, line,
			 r->l->XML_GetCurrentColumnNumber(r->parser) + 1, fault);
}

/* ---- parts ---- */

static bool read_pieces(struct xlsx_package *p, const char *part, zip_file_t *f, struct reading *r,
			struct lp_error *err)
{
	for (bool ended = false; !ended;) {
		void *piece = p->l->XML_GetBuffer(r->parser, PIECE);

		if (!piece)
			return fail_xml(p, part, r, err);
		zip_int64_t n = p->l->zip_fread(f, piece, PIECE);
		if (n < 0)
			return error_set(err, "%s: %s: damaged: %s", p->path, part,
					 p->l->zip_file_strerror(f));
		p->inflated += (uint64_t)n;
		if (p->inflated > XLSX_INFLATED)
			return error_set(err, "%s: %s: the workbook inflates to more than 2 GiB",
					 p->path, part);
		ended = !n;
		if (p->l->XML_ParseBuffer(r->parser, (int)n, ended) != XML_STATUS_OK)
			return fail_xml(p, part, r, err);
	}
	return true;
}

bool xlsx_part_read(struct xlsx_package *p, const char *part, const struct xlsx_handlers *h,
		    void *ctx, struct lp_error *err)
{
	struct reading r = { .l = p->l, .h = h, .ctx = ctx };
	zip_file_t *f = p->l->zip_fopen(p->zip, part, ZIP_FL_NOCASE);

	if (!f)
		return error_set(err, "%s: no Excel workbook: %s: %s", p->path, part,
				 p->l->zip_strerror(p->zip));
	XML_Parser parser = parser_for(&r);
	bool whole = read_pieces(p, part, f, &r, err);
	p->l->XML_ParserFree(parser);
	p->l->zip_fclose(f);
	return whole;
}
