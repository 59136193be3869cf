/*
 * The page around the tables:
 *
 *	head     style, and a script of one line that picks light or dark before the first paint
 *	#static  what a reader without scripts sees
 *	#first   JSON of the small tables: enough for what is seen first, and read without waiting
 *	script   the page's program (web/), which takes #static's place as soon as it is read
 *	#data    base64(gzip(JSON)) of all tables; megabytes, that the first view does not wait for
 */
#include "render/render_html.h"

#include "base/base64.h"
#include "base/embedded.h"
#include "base/gzout.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CELLS 500 /* a table of more is not among the first */

static const char head[] =
	"<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
	"<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	"script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
	"connect-src 'self'\">"
	"<meta name=\"referrer\" content=\"no-referrer\"><title>";
/* The stored theme may be out of reach (file://, private windows). */
static const char theme[] = "<script>(()=>{let t;try{t=localStorage.getItem('lp-theme')}catch(e){}"
			    "const r=document.documentElement;r.dataset.theme=t||"
			    "(matchMedia('(prefers-color-scheme:dark)').matches?'dark':'light');"
			    "r.classList.add('js')})()</script>";

/* Which page it is: of a report, of a diff, or of any other answer. */
static const char *html_kind(const struct lp_answer *a)
{
	if (lp_answer_table(a, "picture_events"))
		return "report";
	if (lp_answer_table(a, "diff_summary"))
		return "diff";
	return "answer";
}

/* ---- all tables, packed ---- */

static void write_json(const struct lp_answer *a, const struct views *v, FILE *json)
{
	if (!json)
		abort();
	struct out out = { .file = json };

	html_data_write(a, v, html_kind(a), &out);
	out_flush(&out);
	fclose(json);
}

static ssize_t gz_cookie_write(void *g, const char *bytes, size_t n)
{
	gzout_write(g, bytes, n);
	return (ssize_t)n;
}

/* What cannot be written stays an error of `file`, which lp_write() looks at. */
static void write_packed(const struct lp_answer *a, const struct views *v, FILE *file)
{
	struct lp_error ignored;
	FILE *base64 = base64_open(file);
	struct gzout *g = base64 ? gzout_open(base64, "page", GZOUT_STEADY) : NULL;

	if (!g)
		abort();
	write_json(a, v, fopencookie(g, "w", (cookie_io_functions_t){ .write = gz_cookie_write }));
	gzout_close(g, &ignored);
	fclose(base64);
}

static void write_data(const struct lp_answer *a, const struct views *v, struct out *out)
{
	out_text(out, "<script id=\"data\" type=\"application/octet-stream;base64\">");
	out_flush(out);
	write_packed(a, v, out->file);
	out_text(out, "</script>\n");
}

/* ---- the tables of the first view ---- */

static uint64_t cells(const struct lp_table *t)
{
	return (uint64_t)t->nrows * t->ncols;
}

static struct views first_views(const struct views *v, struct arena *arena)
{
	struct views first = { .at = NEW(arena, v->n, struct view) };

	for (uint32_t i = 0; i < v->n; i++)
		if (cells(v->at[i].table) <= FIRST_CELLS && !v->at[i].table->detail)
			first.at[first.n++] = v->at[i];
	return first;
}

/* In JSON a less-than sign is part of a string, and can be written so that it ends no script. */
static ssize_t script_cookie_write(void *page, const char *bytes, size_t n)
{
	const char *end = bytes + n, *from = bytes;

	for (const char *lt; (lt = memchr(from, '<', (size_t)(end - from))); from = lt + 1) {
		fwrite(from, 1, (size_t)(lt - from), page);
		fputs("\\u003c", page);
	}
	fwrite(from, 1, (size_t)(end - from), page);
	return (ssize_t)n;
}

static void write_first(const struct lp_answer *a, const struct views *v, struct out *out)
{
	struct arena arena = { 0 };
	struct views first = first_views(v, &arena);

	out_text(out, "<script id=\"first\" type=\"application/json\">");
	out_flush(out);
	write_json(a, &first,
		   fopencookie(out->file, "w",
			       (cookie_io_functions_t){ .write = script_cookie_write }));
	out_text(out, "</script>\n");
	arena_free(&arena);
}

/* ---- the page ---- */

static void write_embedded(struct out *out, const unsigned char *bytes, size_t n)
{
	out_bytes(out, (const char *)bytes, n);
}

static void write_title(const struct lp_answer *a, struct out *out)
{
	out_text(out, "longpole: ");
	html_text(out, a->headline ? a->headline : html_kind(a));
}

void html_write(const struct lp_answer *a, const struct views *v, struct out *out)
{
	out_text(out, head);
	write_title(a, out);
	out_text(out, "</title>");
	out_text(out, theme);
	out_text(out, "<style>");
	write_embedded(out, page_style, page_style_size);
	out_text(out, "</style></head><body>\n<div id=\"static\">");
	html_static_write(a, v, out);
	out_text(out, "</div>\n<div id=\"app\"></div>\n");
	write_first(a, v, out);
	out_text(out, "<script>");
	write_embedded(out, page_script, page_script_size);
	out_text(out, "</script>\n");
	write_data(a, v, out);
	out_text(out, "</body></html>\n");
}
