/*
 * What is worth making faster. Asked for nothing, we ask for everything that could matter: the
 * names with the most time on the path, on the GPU and on the host, every class on it, and all
 * GPU and all host work, each twice as fast and at no cost. The order is by what it gains.
 */
#include "algo/sort.h"
#include "analysis/critpath.h"
#include "base/map.h"
#include "base/say.h"
#include "base/shortname.h"

#include <string.h>

/* Keeps the list by time, the first seen first among equals. */
static void top_offer(struct critpath_top *t, string_id name, nsec on_path)
{
	uint32_t i = MIN_OF(t->n, CRITPATH_TOP - 1);

	if (t->n == CRITPATH_TOP && t->on_path[CRITPATH_TOP - 1] >= on_path)
		return;
	for (; i > 0 && t->on_path[i - 1] < on_path; i--) {
		t->name[i] = t->name[i - 1];
		t->on_path[i] = t->on_path[i - 1];
	}
	t->name[i] = name;
	t->on_path[i] = on_path;
	t->n += t->n < CRITPATH_TOP;
}

struct critpath_top critpath_top_names(const struct critpath *c, bool gpu, struct arena *a)
{
	struct map index = map_new(a, c->path.n);
	string_id *name = NEW(a, c->path.n, string_id);
	nsec *on_path = NEW(a, c->path.n, nsec);
	uint32_t n = 0;
	struct critpath_top top = { 0 };

	for (uint32_t i = 0; i < c->path.n; i++) {
		const struct path_segment *s = &c->path.at[i];
		if (s->event == NONE || s->why != (gpu ? WHY_OWN : WHY_HOST) ||
		    c->tr->ev.name[s->event] == NONE)
			continue;
		uint32_t *at = map_at(&index, c->tr->ev.name[s->event]);
		if (*at == NONE) {
			*at = n++;
			name[*at] = c->tr->ev.name[s->event];
		}
		on_path[*at] += s->end - s->start;
	}
	for (uint32_t i = 0; i < n; i++)
		top_offer(&top, name[i], on_path[i]);
	return top;
}

static void ask_names(struct critpath *c, bool gpu, struct arena *a)
{
	struct critpath_top top = critpath_top_names(c, gpu, a);

	for (uint32_t i = 0; i < top.n; i++) {
		whatif_add_name(&c->whatif, c->tr, top.name[i], "2x", c->arena);
		whatif_add_name(&c->whatif, c->tr, top.name[i], "0", c->arena);
	}
}

static void ask_classes(struct critpath *c, const char *name, uint32_t classes)
{
	nsec on_path = 0;

	for (int k = 0; k < PATH_CLASSES; k++)
		if (classes & 1u << k)
			on_path += c->path.class_ns[k];
	if (!on_path)
		return;
	whatif_add_classes(&c->whatif, name, classes, "2x", c->arena);
	whatif_add_classes(&c->whatif, name, classes, "0", c->arena);
}

static void ask_everything(struct critpath *c, struct arena *a)
{
	ask_names(c, true, a);
	ask_names(c, false, a);
	for (int k = 0; k < PATH_CLASSES; k++)
		if (k != PATH_UNTRACED_GPU)
			ask_classes(c, path_class_texts[k].name, 1u << k);
	ask_classes(c, "gpu", whatif_classes(STR("gpu")));
	ask_classes(c, "cpu", whatif_classes(STR("cpu")));
}

/* Pairs of 2x and 0 stay together: by what the 2x gains, then the 0. */
static bool pair_before(const void *ctx, uint32_t x, uint32_t y)
{
	const struct whatif_scenario *a = (const struct whatif_scenario *)ctx + (size_t)2 * x;
	const struct whatif_scenario *b = (const struct whatif_scenario *)ctx + (size_t)2 * y;

	return a->gain != b->gain ? a->gain > b->gain : a[1].gain > b[1].gain;
}

static uint32_t *order_of(struct critpath *c, bool asked, struct arena *a)
{
	uint32_t n = c->whatif.nscenarios, *order = NEW(a, n, uint32_t);

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	if (asked)
		return order;
	uint32_t pairs = n / 2, *pair = NEW(a, pairs, uint32_t);
	for (uint32_t i = 0; i < pairs; i++)
		pair[i] = i;
	sort_ids(pair, pairs, NEW(a, pairs, uint32_t), pair_before, c->whatif.scenario);
	for (uint32_t i = 0; i < pairs; i++) {
		order[2 * i] = 2 * pair[i];
		order[2 * i + 1] = 2 * pair[i] + 1;
	}
	return order;
}

void critpath_table_what_if(struct critpath *c, bool asked)
{
	struct arena scratch = { 0 };

	if (!asked)
		ask_everything(c, &scratch);
	whatif_run(&c->whatif, c->tr, &c->view, &scratch);

	uint32_t n = c->whatif.nscenarios, *order = order_of(c, asked, &scratch);
	nsec whole = c->view.window.end - c->view.window.start;
	const char **target = NEW(c->arena, n, const char *),
		   **factor = NEW(c->arena, n, const char *);
	int64_t *window = NEW(c->arena, n, int64_t), *gain = NEW(c->arena, n, int64_t);
	int64_t *on_path = NEW(c->arena, n, int64_t), *bound = NEW(c->arena, n, int64_t);
	double *percent = NEW(c->arena, n, double);

	for (uint32_t i = 0; i < n; i++) {
		const struct whatif_scenario *s = &c->whatif.scenario[order[i]];
		target[i] = s->target;
		factor[i] = s->factor;
		window[i] = s->window;
		gain[i] = s->gain;
		percent[i] = whole ? 100.0 * (double)s->gain / (double)whole : 0;
		on_path[i] = s->on_path;
		bound[i] = s->bound;
	}
	struct lp_table *t = answer_table(c->answer, "what_if", n);
	table_str(t, "target", "what if", LP_NAME, target, "a name, a class or a pattern");
	table_str(t, "factor", "is", 0, factor, "2x: twice as fast; 0: at no cost");
	table_i64(t, "window_ns", "window", LP_NSEC, 0, window, "what the window would take");
	table_i64(t, "gain_ns", "gain", LP_NSEC, LP_SAME, gain, "how much less that is");
	table_f64(t, "gain_percent", "%", LP_PERCENT, 0, percent, "of the window");
	table_i64(t, "on_path_ns", "on path", LP_NSEC, LP_SAME | LP_LESSER, on_path,
		  "its time on the path");
	table_i64(t, "bound_ns", "at most", LP_NSEC, LP_SAME | LP_LESSER, bound,
		  "no gain is larger: what it takes off the path itself");
	arena_free(&scratch);
}

/* ---- The sentence, and what to do next ---- */

/* "void at::native::(anonymous namespace)::cunn_SoftMaxForward<...>(...)": cunn_SoftMaxForward. */
static struct str bare_name(struct str s)
{
	size_t depth = 0, start = 0, n = 0;

	for (size_t i = 0; i < s.n; i++) {
		char ch = s.p[i];
		bool ends = ch == '<' || ch == '(';
		if (ends && !depth && n &&
		    !(ch == '(' && str_starts((struct str){ s.p + i, s.n - i }, STR("(anonymous"))))
			break;
		if (ends)
			depth++;
		else if (ch == '>' || ch == ')')
			depth -= depth > 0;
		else if (!depth && (ch == ' ' || ch == ':')) {
			start = i + 1;
			n = 0;
		} else if (!depth)
			n++;
	}
	return (struct str){ s.p + start, n };
}

static bool is_rocm(const struct trace *tr)
{
	for (event_id e = 0; e < tr->ev.n; e++)
		if (tr->ev.kind[e] == KIND_RUNTIME)
			return str_starts(trace_name(tr, e), STR("hip"));
	return false;
}

static void next_commands(struct critpath *c, const struct critpath_top *gpu)
{
	const char *file = c->tr->source.path;

	if (gpu->n) {
		struct str name = bare_name(strings_get(&c->tr->strings, gpu->name[0]));
		if (is_rocm(c->tr))
			answer_next(c->answer, "why it is slow",
				    "rocprof-compute profile -n slow -k %.*s -- python …",
				    STR_ARGS(name));
		else
			answer_next(c->answer, "why it is slow",
				    "ncu --kernel-name regex:%.*s --launch-count 1 python …",
				    STR_ARGS(name));
	}
	answer_next(c->answer, "the path in Perfetto",
		    "longpole critical-path %s --chrome path.json.gz", file);
	answer_next(c->answer, "every segment of it", "longpole critical-path %s --table path",
		    file);
}

static const char *short_name(struct critpath *c, const char *name)
{
	return shortname(c->arena, name, 48, UTF8_TERMINAL);
}

static const char *asked_text(struct critpath *c)
{
	const char *text = "";

	for (uint32_t i = 0; i < c->whatif.nscenarios && i < 3; i++) {
		const struct whatif_scenario *s = &c->whatif.scenario[i];
		const char *is = !s->factor               ? ""
				 : strchr(s->factor, 'x') ? " faster"
							  : " at no cost";
		bool plain = s->factor && !strchr(s->factor, 'x');
		text = arena_print(c->arena, "%s%s %s%s%s%s gives %s", text, i ? "," : "",
				   short_name(c, s->target), plain || !s->factor ? "" : " ",
				   plain || !s->factor ? "" : s->factor, is,
				   say_time(c->arena, s->window));
	}
	return text;
}

void critpath_headline(struct critpath *c, bool asked)
{
	struct arena scratch = { 0 };
	nsec whole = c->view.window.end - c->view.window.start;
	struct critpath_top gpu = critpath_top_names(c, true, &scratch),
			    host = critpath_top_names(c, false, &scratch);
	enum path_class most = 0;

	for (int k = 0; k < PATH_CLASSES; k++)
		if (c->path.class_ns[k] > c->path.class_ns[most])
			most = k;
	const char *decides = arena_print(
		&scratch, "%s decides %s of the %s", path_class_texts[most].subject,
		say_percent(c->arena, c->path.class_ns[most], whole), say_time(c->arena, whole));
	const struct critpath_top *top = gpu.n && (!host.n || gpu.on_path[0] >= host.on_path[0])
						 ? &gpu
						 : &host;
	if (!whole)
		answer_headline(c->answer, "The window holds nothing.");
	else if (asked)
		answer_headline(c->answer, "%s:%s.", decides, asked_text(c));
	else if (top->n)
		answer_headline(c->answer, "%s: %s alone holds the path for %s (%s).", decides,
				short_name(c, strings_get(&c->tr->strings, top->name[0]).p),
				say_time(c->arena, top->on_path[0]),
				say_percent(c->arena, top->on_path[0], whole));
	else
		answer_headline(c->answer, "%s.", decides);
	next_commands(c, &gpu);
	arena_free(&scratch);
}
