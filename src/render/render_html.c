/*
 * The page around the tables:
 *
 *	head     style, and a script of one line that picks light or dark before the first paint
 *	#static  what a reader without scripts sees
 *	#first   base64(gzip(JSON)) of the small tables: enough for what is seen first
 *	script   the page's program (web/), which takes #static's place as soon as it is read
 *	#data    the same of all tables; megabytes, that the first view does not wait for
 */
#include "render/render_html.h"

#include "base/base64.h"
#include "base/embedded.h"
#include "base/gzout.h"

#include <stdlib.h>

#define FIRST_ROWS 200 /* a table of more is not among the first */

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

/* ---- the tables, packed ---- */

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
	FILE *json = g ? fopencookie(g, "w", (cookie_io_functions_t){ .write = gz_cookie_write })
		       : NULL;

	if (!json)
		abort();
	struct out out = { .file = json };

	html_data_write(a, v, html_kind(a), &out);
	out_flush(&out);
	fclose(json);
	gzout_close(g, &ignored);
	fclose(base64);
}

static struct views first_views(const struct views *v, struct arena *arena)
{
	struct views first = { .at = NEW(arena, v->n, struct view) };

	for (uint32_t i = 0; i < v->n; i++)
		if (v->at[i].table->nrows <= FIRST_ROWS && !v->at[i].table->detail)
			first.at[first.n++] = v->at[i];
	return first;
}

static void write_data(const char *id, const struct lp_answer *a, const struct views *v,
		       struct out *out)
{
	out_print(out, "<script id=\"%s\" type=\"application/octet-stream;base64\">", id);
	out_flush(out);
	write_packed(a, v, out->file);
	out_text(out, "</script>\n");
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
	struct arena arena = { 0 };
	struct views first = first_views(v, &arena);

	out_text(out, head);
	write_title(a, out);
	out_text(out, "</title>");
	out_text(out, theme);
	out_text(out, "<style>");
	write_embedded(out, page_style, page_style_size);
	out_text(out, "</style></head><body>\n<div id=\"static\">");
	html_static_write(a, v, out);
	out_text(out, "</div>\n<div id=\"app\"></div>\n");
	write_data("first", a, &first, out);
	out_text(out, "<script>");
	write_embedded(out, page_script, page_script_size);
	out_text(out, "</script>\n");
	write_data("data", a, v, out);
	out_text(out, "</body></html>\n");
	arena_free(&arena);
}
