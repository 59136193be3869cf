/*
 * The path as pictures for other programs: folded stacks, a Mermaid gantt, and a Chrome
 * overlay on the trace itself.
 */
#include "algo/sort.h"
#include "analysis/critpath.h"
#include "analysis/critpath_input.h"
#include "analysis/slack.h"
#include "base/error.h"
#include "base/map.h"
#include "base/shortname.h"
#include "base/textbuf.h"
#include "trace/link.h"
#include "trace/write_chrome.h"

#include <inttypes.h>
#include <string.h>

/* ---- Folded stacks ---- */

/* A prefix tree of names: one node per distinct stack. */
struct folds {
	const struct critpath *c;
	const struct links *links;
	struct arena *arena;
	struct map index; /* parent << 32 | name: node */
	uint32_t n, room;
	struct fold {
		uint32_t parent; /* NONE: a root */
		string_id name;  /* above all strings of the trace: a class */
		nsec time;
	} * at;
	event_id *stack; /* of the event in hand, from the leaf up */
	uint32_t depth;
};

static uint32_t fold_of(struct folds *f, uint32_t parent, string_id name)
{
	uint32_t *at = map_at(&f->index, (uint64_t)parent << 32 | name);

	if (*at == NONE) {
		*at = f->n;
		f->at[f->n++] = (struct fold){ parent, name, 0 };
	}
	return *at;
}

/* The event, its launch if it is GPU work, and all above. */
static void find_stack(struct folds *f, event_id e)
{
	const struct trace *tr = f->c->tr;
	const struct tree *t = f->links->tree;

	f->depth = 0;
	if (kind_is_gpu(tr->ev.kind[e])) {
		uint32_t i = links_row(tr, f->links, e);
		f->stack[f->depth++] = e;
		e = i == NONE ? NONE : f->links->launch[i];
	}
	for (node_id n = e == NONE ? NONE : t->node[e]; n != NONE; n = t->parent[n])
		f->stack[f->depth++] = t->event[n];
	if (e != NONE && t->node[e] == NONE)
		f->stack[f->depth++] = e;
}

static void print_frame(FILE *out, struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		fputc(name.p[i] == ';' || (unsigned char)name.p[i] < ' ' ? '_' : name.p[i], out);
}

static void print_fold(const struct folds *f, uint32_t i, uint32_t *chain, FILE *out)
{
	uint32_t depth = 0, nstrings = f->c->tr->strings.n;

	for (uint32_t k = i; k != NONE; k = f->at[k].parent)
		chain[depth++] = k;
	while (depth--) {
		string_id name = f->at[chain[depth]].name;
		print_frame(out, name >= nstrings ? str_of(path_class_texts[name - nstrings].name)
						  : strings_get(&f->c->tr->strings, name));
		fputc(depth ? ';' : ' ', out);
	}
	fprintf(out, "%" PRId64 "\n", f->at[i].time);
}

/* Own time ends in the event, a gap in its class below the event that waited. */
static void draw_folded(struct critpath *c, FILE *out)
{
	struct arena scratch = { 0 };
	struct folds f = { .c = c, .arena = &scratch };
	uint32_t nstrings = c->tr->strings.n;
	size_t most = 0;

	f.links = trace_links(c->tr, LINK_BEST, TREE_FULL);
	f.stack = NEW(&scratch, f.links->tree->n + (size_t)2, event_id);
	for (uint32_t i = 0; i < c->path.n; i++) {
		if (c->path.at[i].event != NONE)
			find_stack(&f, c->path.at[i].event);
		most += f.depth + 2;
	}
	f.index = map_new(&scratch, most);
	f.at = NEW(&scratch, most, struct fold);
	for (uint32_t i = 0; i < c->path.n; i++) {
		const struct path_segment *s = &c->path.at[i];
		uint32_t at = NONE;
		f.depth = 0;
		if (s->event != NONE)
			find_stack(&f, s->event);
		while (f.depth--)
			if (c->tr->ev.name[f.stack[f.depth]] != NONE)
				at = fold_of(&f, at, c->tr->ev.name[f.stack[f.depth]]);
		if (!critpath_own(s) || at == NONE)
			at = fold_of(&f, at, nstrings + s->class);
		f.at[at].time += s->end - s->start;
	}
	uint32_t *chain = NEW(&scratch, f.n, uint32_t);
	for (uint32_t i = 0; i < f.n; i++)
		if (f.at[i].time)
			print_fold(&f, i, chain, out);
	arena_free(&scratch);
}

/* ---- Mermaid ---- */

#define MERMAID_TASKS 40
#define TASK_NAME     48 /* columns */

/* Neighbours on one lane of one class: one task, named after the longest. */
struct task {
	nsec start, end, longest;
	event_id event;
	uint32_t merged;
	lane_id lane;
	uint8_t class;
};

static bool longer(const void *ctx, uint32_t x, uint32_t y)
{
	const struct task *t = ctx;

	return t[x].end - t[x].start > t[y].end - t[y].start;
}

static bool by_lane(const void *ctx, uint32_t x, uint32_t y)
{
	const struct task *t = ctx;

	return t[x].lane != t[y].lane ? t[x].lane < t[y].lane : t[x].start < t[y].start;
}

static uint32_t merge_tasks(const struct critpath *c, struct task *task)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->path.n; i++) {
		const struct path_segment *s = &c->path.at[i];
		nsec took = s->end - s->start;
		struct task *t = n ? &task[n - 1] : NULL;

		if (!t || t->lane != s->lane || t->class != s->class) {
			task[n++] = (struct task){ s->start, s->end,  took,    s->event,
						   1,        s->lane, s->class };
			continue;
		}
		t->end = s->end;
		t->merged++;
		if (took > t->longest) {
			t->longest = took;
			t->event = s->event;
		}
	}
	return n;
}

/* A colon ends a name, a semicolon or a hash a line; control characters do worse. */
static void print_task_name(FILE *out, const char *name)
{
	for (const char *p = name; *p; p++)
		fputc(strchr(":;#%{}\"\\", *p) || (unsigned char)*p < ' ' ? '_' : *p, out);
}

static void draw_mermaid(struct critpath *c, FILE *out)
{
	struct arena scratch = { 0 };
	struct task *task = NEW(&scratch, c->path.n, struct task);
	uint32_t n = merge_tasks(c, task), *order = NEW(&scratch, n, uint32_t);
	uint32_t *spare = NEW(&scratch, n, uint32_t);
	lane_id lane = NONE;

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	sort_ids(order, n, spare, longer, task);
	n = MIN_OF(n, MERMAID_TASKS);
	sort_ids(order, n, spare, by_lane, task);
	fprintf(out, "gantt\n    title Critical path, ns from the start of the window\n"
		     "    dateFormat x\n    axisFormat %%Q\n");
	for (uint32_t i = 0; i < n; i++) {
		const struct task *t = &task[order[i]];
		if (!i || t->lane != lane) {
			fprintf(out, "    section ");
			print_task_name(out, t->lane == NONE ? "-"
							     : critpath_lane_name(&scratch, c->tr,
										  t->lane));
			fputc('\n', out);
		}
		lane = t->lane;
		fprintf(out, "    %s ", path_class_texts[t->class].name);
		print_task_name(out, shortname(&scratch, critpath_name(c, t->event), TASK_NAME,
					       UTF8_TERMINAL));
		if (t->merged > 1)
			fprintf(out, " and %u more", t->merged - 1);
		fprintf(out, " :%st%u, %" PRId64 ", %" PRId64 "\n",
			path_class_is_gpu(t->class) ? "crit, " : "", i,
			t->start - c->view.window.start, t->end - c->view.window.start);
	}
	arena_free(&scratch);
}

/* ---- Chrome ---- */

static const char *const colors[PATH_CLASSES] = {
	[PATH_COMPUTE] = "good",
	[PATH_MEMORY] = "rail_load",
	[PATH_COMMUNICATION] = "rail_animation",
	[PATH_LAUNCH_API] = "yellow",
	[PATH_LAUNCH_QUEUE] = "olive",
	[PATH_GPU_GAP] = "bad",
	[PATH_SYNC] = "terrible",
	[PATH_CPU_OP] = "thread_state_running",
	[PATH_PYTHON] = "thread_state_runnable",
	[PATH_DATA_LOADING] = "thread_state_iowait",
	[PATH_RUNTIME_OTHER] = "generic_work",
	[PATH_PROFILER_OVERHEAD] = "grey",
	[PATH_IDLE_HANDOFF] = "rail_response",
	[PATH_IDLE_UNKNOWN] = "white",
	[PATH_UNTRACED_GPU] = "black",
};

static struct chrome_slice slice_of(const struct critpath *c, const struct path_segment *s,
				    struct arena *a)
{
	struct textbuf b = { .arena = a };
	const char *lane = critpath_lane_name(a, c->tr, s->lane);

	textbuf_print(&b, "\"class\": \"%s\", \"why\": \"%s\", \"lane\": ",
		      path_class_texts[s->class].name, critpath_why(s));
	textbuf_json(&b, str_of(lane ? lane : "-"));
	if (s->event != NONE)
		textbuf_print(&b, ", \"event\": %u", s->event);
	const char *name = s->event == NONE ? path_class_texts[s->class].name
					    : critpath_name(c, s->event);
	return (struct chrome_slice){ s->start + c->tr->base, s->end + c->tr->base, str_of(name),
				      colors[s->class], textbuf_keep(&b, a) };
}

/* From where the path leaves an event to where it enters one of another lane. */
static uint32_t find_flows(const struct critpath *c, struct chrome_flow *flow)
{
	const struct path_segment *last = NULL;
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->path.n; i++) {
		const struct path_segment *s = &c->path.at[i];
		if (!critpath_own(s))
			continue;
		if (last && last->lane != s->lane)
			flow[n++] = (struct chrome_flow){ last->event, s->event,
							  last->end - 1 + c->tr->base,
							  s->start + c->tr->base };
		last = s;
	}
	return n;
}

static void mark_events(const struct critpath *c, bool *critical, nsec *slack_of, struct arena *a)
{
	const struct path_graph *g = c->graph;
	nsec *slack = slack_of_nodes(&c->view, a);

	for (event_id e = 0; e < c->tr->ev.n; e++)
		slack_of[e] = NSEC_NONE;
	for (uint32_t i = 0; i < c->path.n; i++)
		if (c->path.at[i].event != NONE)
			critical[c->path.at[i].event] = true;
	for (uint32_t i = 0; i < g->npieces; i++)
		if (g->piece[i].event != NONE) {
			uint32_t track = g->node[g->piece[i].node].track;
			slack_of[g->piece[i].event] =
				critpath_event_slack(c, track, g->piece[i].event, slack);
		}
	for (uint32_t i = 1; i < g->dag.n; i++)
		if (g->node[i].event != NONE)
			slack_of[g->node[i].event] = critpath_event_slack(c, g->node[i].track,
									  g->node[i].event, slack);
}

static bool draw_chrome(struct critpath *c, bool gzip, FILE *out, struct lp_error *err)
{
	struct arena scratch = { 0 };
	struct chrome_slice *slice = NEW(&scratch, c->path.n, struct chrome_slice);
	struct chrome_flow *flow = NEW(&scratch, c->path.n, struct chrome_flow);
	bool *critical = NEW(&scratch, c->tr->ev.n, bool);
	nsec *slack = NEW(&scratch, c->tr->ev.n, nsec);

	for (uint32_t i = 0; i < c->path.n; i++)
		slice[i] = slice_of(c, &c->path.at[i], &scratch);
	mark_events(c, critical, slack, &scratch);
	struct chrome_overlay o = { .process = "critical path",
				    .thread = "what decides the wall clock",
				    .nslices = c->path.n,
				    .nflows = find_flows(c, flow),
				    .slice = slice,
				    .flow = flow,
				    .critical = critical,
				    .slack = slack };
	bool fine = write_chrome(c->tr, &o, out, "the overlay", gzip, err);
	arena_free(&scratch);
	return fine;
}

bool lp_critical_path_draw(struct lp_trace *tr, struct lp_critical_path_options o,
			   enum lp_path_picture picture, bool gzip, FILE *out, struct lp_error *err)
{
	struct critpath c = { .tr = (struct trace *)tr };
	struct arena scratch = { 0 };
	bool fine = true;

	if (o.model != LP_PATH_WALK)
		return error_set(err, "only the walk can be drawn, not the other models");
	c.arena = &scratch;
	if (!critpath_walk_window(&c, o.window, &scratch, err))
		fine = false;
	else if (picture == LP_PATH_MERMAID)
		draw_mermaid(&c, out);
	else if (picture == LP_PATH_FOLDED)
		draw_folded(&c, out);
	else
		fine = draw_chrome(&c, gzip, out, err);
	arena_free(&scratch);
	return fine;
}
