/* render.h - the formats lp_write() chooses from; each writes the views of an answer. */
#ifndef RENDER_RENDER_H
#define RENDER_RENDER_H

#include "base/out.h"
#include "render/view.h"

/* The first view, RFC 4180 with lines that end in \n, control characters escaped. */
void csv_write(const struct views *v, struct out *out);
/* {"table":{"columns":[...],"rows":[[...],...]},...}, one row a line. */
void json_write(const struct views *v, struct out *out);
/* The headline and a GitHub-flavoured table each, scaled as in text. */
void md_write(const struct lp_answer *a, const struct views *v, struct out *out);
/* For a terminal: the whole answer, within o->width columns. */
void text_write(const struct lp_answer *a, const struct views *v, const struct lp_write_options *o,
		struct out *out);
#ifdef HAVE_XLSX
/* One sheet per view. */
bool xlsx_write(const struct lp_answer *a, const struct views *v, FILE *file, struct lp_error *err);
#endif

#endif
