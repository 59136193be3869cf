#include "trace/model.h"

#include <stdlib.h>

void model_count(struct trace *tr, enum counter what, event_id e)
{
	counter_hit(&tr->counters, what, trace_place(tr, e));
}

/* ---- Kinds ---- */

struct kinds {
	struct trace *tr;
	uint8_t *of_cat;     /* enum kind of a slice, per row of trace.cats */
	uint8_t *collective; /* per string: 0 not asked yet, 1 no, 2 yes */
};

static enum kind slice_kind(struct kinds *k, event_id e)
{
	struct trace *tr = k->tr;
	uint16_t cat = tr->ev.cat[e];

	if (cat != UINT16_MAX && tr->cats.at[cat].n)
		return k->of_cat[cat];
	if (tr->ev.lane[e] == NONE)
		return KIND_OTHER;
	const struct lane *l = &tr->lanes.at[tr->ev.lane[e]];
	struct str process = STR(""), thread = STR("");
	string_id p = l->process_name == NONE ? l->pid : l->process_name;
	if (p != NONE)
		process = strings_get(&tr->strings, p);
	if (l->thread_name != NONE)
		thread = strings_get(&tr->strings, l->thread_name);
	return kind_of_process(process, thread, trace_name(tr, e));
}

static bool is_collective(struct kinds *k, event_id e)
{
	string_id name = k->tr->ev.name[e];

	if (name == NONE)
		return false;
	if (!k->collective[name])
		k->collective[name] = 1 + name_is_collective(trace_name(k->tr, e));
	return k->collective[name] == 2;
}

void model_kinds(struct trace *tr)
{
	struct arena scratch = { 0 };
	struct kinds k = { tr, NEW(&scratch, tr->cats.n, uint8_t),
			   NEW(&scratch, tr->strings.n, uint8_t) };

	for (uint32_t c = 0; c < tr->cats.n; c++)
		k.of_cat[c] = (uint8_t)kind_of_category(tr->cats.at[c]);
	for (event_id e = 0; e < tr->ev.n; e++) {
		enum kind slice = slice_kind(&k, e);
		if (tr->ev.ph[e] != 'X')
			slice = kind_of_phase((char)tr->ev.ph[e], slice, trace_name(tr, e));
		else if (slice == KIND_INSTANT || slice == KIND_FLOW_FWDBWD)
			slice = KIND_OTHER;
		if (slice == KIND_OTHER && !phase_is_known((char)tr->ev.ph[e]) &&
		    !(tr->ev.flags[e] & EVENT_DROPPED))
			model_count(tr, COUNT_UNKNOWN_PHASE, e);
		if (slice == KIND_KERNEL && is_collective(&k, e))
			slice = KIND_COLLECTIVE;
		tr->ev.kind[e] = (uint8_t)slice;
	}
	arena_free(&scratch);
}

/* ---- The whole ---- */

static void count_kinds(struct trace *tr)
{
	for (event_id e = 0; e < tr->ev.n; e++)
		if (!(tr->ev.flags[e] & (EVENT_DROPPED | EVENT_PAIRED))) {
			tr->nkind[tr->ev.kind[e]]++;
			tr->nslices += trace_slice(tr, e);
		}
}

void model_build(struct trace *tr)
{
	struct survey s;

	lanes_name(tr);
	model_kinds(tr);
	lanes_split_gpu(tr);
	model_spans(tr);
	model_gpu(tr);
	model_times(tr, &s);
	model_streams(tr);
	model_window(tr, &s);
	count_kinds(tr);
}

static int by_event(const void *key, const void *row)
{
	event_id e = *(const event_id *)key, r = ((const struct clipped *)row)->event;

	return (e > r) - (e < r);
}

nsec trace_raw_dur(const struct trace *tr, event_id e)
{
	const struct clipped *c = NULL;

	if (tr->ev.flags[e] & EVENT_CLIPPED)
		c = bsearch(&e, tr->clipped, tr->nclipped, sizeof(*c), by_event);
	return c ? c->dur : tr->ev.dur[e];
}
