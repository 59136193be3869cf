/*
 * render_html.h - an answer as one page that needs nothing else: no network, no second file.
 *
 * Nothing of a trace becomes markup: text of the static part is escaped, and the tables
 * travel as base64, which has no '<'.
 */
#ifndef RENDER_RENDER_HTML_H
#define RENDER_RENDER_HTML_H

#include "base/out.h"
#include "render/view.h"

void html_write(const struct lp_answer *a, const struct views *v, struct out *out);

/* The views as JSON, column by column; web/src/data.ts reads it. `kind`: see html_kind. */
void html_data_write(const struct lp_answer *a, const struct views *v, const char *kind,
		     struct out *out);
/* What a reader without scripts sees: the sentence, the findings, the small tables. */
void html_static_write(const struct lp_answer *a, const struct views *v, struct out *out);
/* Text with what HTML would take for markup escaped; never NULL. */
void html_text(struct out *out, const char *text);

#endif
