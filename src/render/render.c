#include "render/render.h"
#include "render/whole.h"
#ifdef HAVE_PAGE
#include "render/render_html.h"
#endif

static bool write_views(const struct lp_answer *a, const struct views *v, enum lp_format f,
			const struct lp_write_options *o, FILE *file, struct lp_error *err)
{
	struct out out = { .file = file };

	switch (f) {
	case LP_TEXT:
		text_write(a, v, o, &out);
		break;
	case LP_CSV:
		csv_write(v, &out);
		break;
	case LP_JSON:
		json_write(v, &out);
		break;
	case LP_MD:
		md_write(a, v, &out);
		break;
	case LP_XLSX:
#ifdef HAVE_XLSX
		return xlsx_write(a, v, file, err);
#else
		return error_set(err, "xlsx is not built in: install libxlsxwriter-dev and build "
				      "with -Dxlsx=enabled");
#endif
	case LP_HTML:
#ifdef HAVE_PAGE
		html_write(a, v, &out);
		break;
#else
		return error_set(err, "pages are not built in: install nodejs and npm, run "
				      "`npm ci` in web/ and build with -Dpage=enabled");
#endif
	}
	out_flush(&out);
	return true;
}

bool lp_write(const struct lp_answer *a, enum lp_format f, struct lp_write_options o, FILE *out,
	      struct lp_error *err)
{
	struct arena arena = { 0 };
	struct lp_answer all = *a;
	struct views v;

	if (f != LP_CSV || o.sort)
		all = whole_answer(a, &arena);
	bool done = views_make(&v, &all, &o, f == LP_TEXT || f == LP_MD, &arena, err) &&
		    write_views(&all, &v, f, &o, out, err);

	arena_free(&arena);
	return done && (!ferror(out) || error_set(err, "cannot write: %m"));
}
