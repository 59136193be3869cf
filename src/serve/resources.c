/*
 * What there is behind the token; all of it is made of the one trace, and nothing is a file.
 *
 *	""        the page
 *	"served"  {"served":1}: the page is not a file on a disk, more can be asked for
 *	"tile"    ?start=NS&end=NS&grain=NS   tables picture_lanes, picture_events of that stretch
 *	"nodes"   ?weight=cpu|gpu&invert=0|1&waits=0|1[&leaf=N&at=N]   table nodes: roots, or what
 *	          hangs from one; without waits, time in which calls only wait for a GPU is left out
 */
#include "serve/server.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TILE  50000 /* rows of a tile: the grain grows where there are more */
#define MAX_NODES 2000

/* ---- bodies ---- */

static struct body say(unsigned status, const char *text)
{
	char *copy = strdup(text);

	return (struct body){ .status = status,
			      .type = "text/plain; charset=utf-8",
			      .text = copy ? copy : (char *)"",
			      .n = copy ? strlen(copy) : 0,
			      .owned = copy };
}

static struct body failed(unsigned status, const struct lp_error *err)
{
	return say(status, err->text);
}

static bool answer_text(const struct lp_answer *a, enum lp_format f, char **text, size_t *n,
			struct lp_error *err)
{
	FILE *out = open_memstream(text, n);

	if (!out) {
		snprintf(err->text, sizeof(err->text), "out of memory");
		return false;
	}
	bool done = lp_write(a, f, (struct lp_write_options){ 0 }, out, err);

	if (fclose(out) == 0 && done)
		return true;
	free(*text);
	*text = NULL;
	return false;
}

static struct body answer_body(struct lp_answer *a, struct lp_error *err)
{
	struct body b = { .status = MHD_HTTP_OK, .type = "application/json", .owned = true };
	bool done = a && answer_text(a, LP_JSON, &b.text, &b.n, err);

	lp_answer_free(a);
	return done ? b : failed(MHD_HTTP_BAD_REQUEST, err);
}

/* ---- the query ---- */

static const char *argument(struct MHD_Connection *c, const char *name)
{
	return http.lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, name);
}

/* False: it is there and no whole number from 0 to `max`. Missing: `*out` stays as it is. */
static bool number(struct MHD_Connection *c, const char *name, int64_t max, int64_t *out)
{
	const char *text = argument(c, name);
	char *end;

	if (!text)
		return true;
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	long long v = strtoll(text, &end, 10);

	*out = v;
	return !*end && !errno && v <= max;
}

/* ---- resources ---- */

static struct body get_page(struct lp_server *s, struct MHD_Connection *c)
{
	(void)c;
	return (struct body){ .status = MHD_HTTP_OK,
			      .type = "text/html; charset=utf-8",
			      .text = s->page,
			      .n = s->page_size };
}

static struct body get_served(struct lp_server *s, struct MHD_Connection *c)
{
	static char yes[] = "{\"served\":1}\n";

	(void)s;
	(void)c;
	return (struct body){
		.status = MHD_HTTP_OK, .type = "application/json", .text = yes, .n = sizeof(yes) - 1
	};
}

static struct body get_tile(struct lp_server *s, struct MHD_Connection *c)
{
	struct lp_picture_options o = { .max_events = MAX_TILE };
	struct lp_error err;

	if (!number(c, "start", INT64_MAX, &o.start_ns) ||
	    !number(c, "end", INT64_MAX, &o.end_ns) || !number(c, "grain", INT64_MAX, &o.grain_ns))
		return say(MHD_HTTP_BAD_REQUEST,
			   "start, end and grain are whole numbers of nanoseconds\n");
	if (o.end_ns && o.start_ns >= o.end_ns)
		return say(MHD_HTTP_BAD_REQUEST, "end must be after start\n");
	return answer_body(lp_picture_tile(s->picture, o, &err), &err);
}

static struct lp_tree *tree_of(struct lp_server *s, enum weight w, bool invert,
			       struct lp_error *err)
{
	static const char *const weights[] = { "cpu", "gpu" };

	if (!s->profiles[w])
		s->profiles[w] = lp_profile_of_trace(
			s->tr, (struct lp_profile_options){ .weight = weights[w], .sums = true },
			err);
	if (s->profiles[w] && !s->trees[w][invert])
		s->trees[w][invert] = lp_tree_open(
			s->profiles[w],
			(struct lp_tree_options){ .invert = invert, .thread = "all" }, err);
	return s->trees[w][invert];
}

static struct body get_nodes(struct lp_server *s, struct MHD_Connection *c)
{
	const char *weight = argument(c, "weight");
	int64_t invert = 0, waits = 1, leaf = -1, at = -1;
	struct lp_error err;

	if (!weight || (strcmp(weight, "cpu") != 0 && strcmp(weight, "gpu") != 0) ||
	    !number(c, "invert", 1, &invert) || !number(c, "waits", 1, &waits) ||
	    !number(c, "leaf", UINT32_MAX, &leaf) || !number(c, "at", UINT32_MAX, &at) ||
	    (leaf < 0) != (at < 0))
		return say(MHD_HTTP_BAD_REQUEST, "weight is cpu or gpu, invert and waits are 0 "
						 "or 1, leaf and at name a node\n");
	struct lp_tree *t = tree_of(s, strcmp(weight, "gpu") ? WEIGHT_CPU : WEIGHT_GPU, invert,
				    &err);
	struct lp_node node = { (uint32_t)leaf, (uint32_t)at };
	struct lp_node_data data;

	if (!t || !lp_tree_filter(t, (struct lp_tree_filter){ .no_waits = !waits }, &err))
		return failed(MHD_HTTP_NOT_FOUND, &err);
	if (leaf >= 0 && !lp_tree_node(t, node, &data))
		return say(MHD_HTTP_NOT_FOUND, "there is no such node\n");
	return answer_body(lp_tree_nodes(t, leaf < 0 ? NULL : &node, MAX_NODES, &err), &err);
}

static const struct {
	const char *name;
	struct body (*get)(struct lp_server *s, struct MHD_Connection *c);
} resources[] = {
	{ "", get_page },
	{ "served", get_served },
	{ "tile", get_tile },
	{ "nodes", get_nodes },
};

struct body resource_get(struct lp_server *s, const char *name, struct MHD_Connection *c)
{
	for (size_t i = 0; i < sizeof(resources) / sizeof(resources[0]); i++)
		if (!strcmp(resources[i].name, name))
			return resources[i].get(s, c);
	return say(MHD_HTTP_NOT_FOUND, "not found\n");
}

bool resources_open(struct lp_server *s, struct lp_report_options o, struct lp_error *err)
{
	o.page = true;
	struct lp_answer *a = lp_report(s->tr, o, err);
	bool done = a && answer_text(a, LP_HTML, &s->page, &s->page_size, err);

	lp_answer_free(a);
	if (done)
		s->picture = lp_picture_open(s->tr, err);
	return s->picture;
}

void resources_close(struct lp_server *s)
{
	for (int w = 0; w < 2; w++) {
		for (int i = 0; i < 2; i++)
			lp_tree_close(s->trees[w][i]);
		lp_profile_close(s->profiles[w]);
	}
	lp_picture_close(s->picture);
	free(s->page);
}
