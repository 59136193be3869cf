#include "profile/chrome_profile.h"

#include "profile/profile_cpuprofile.h"
#include "base/alloc.h"

#include <stdlib.h>

struct part {
	struct cpuprofile *c;
	event_id first;
};

struct parts {
	struct profile *p;
	struct strings keys; /* "pid id": its row is the part's */
	struct part *at;
	uint32_t cap;
};

static bool has(const struct trace *tr, struct str name)
{
	return strings_find(&tr->strings, name) != NONE;
}

bool chrome_has_profiles(const struct trace *tr)
{
	return has(tr, STR("CpuProfile")) || has(tr, STR("ProfileChunk"));
}

static struct str text_of(const struct trace *tr, string_id s)
{
	return s == NONE ? STR("") : strings_get(&tr->strings, s);
}

/* What tells the profile of an event from the others. */
static uint32_t part_of(struct parts *parts, const struct trace *tr, event_id e, bool whole)
{
	const struct lane *l = &tr->lanes.at[tr->ev.lane[e]];
	struct str pid = text_of(tr, l->pid), id = arg_text(tr, e, KEY_ID);
	char key[128];
	int n = whole ? snprintf(key, sizeof(key), "event %u", e)
		      : snprintf(key, sizeof(key), "%.*s %.*s", (int)MIN_OF(pid.n, 40), pid.p,
				 (int)MIN_OF(id.n, 60), id.p ? id.p : "");
	uint32_t before = parts->keys.n, row = strings_add(&parts->keys, key, (size_t)n);

	if (row < before)
		return row;
	if (row >= parts->cap) {
		parts->cap = parts->cap ? 2 * parts->cap : 8;
		parts->at = alloc_checked(realloc(parts->at, parts->cap * sizeof(*parts->at)));
	}
	parts->at[row] = (struct part){ cpuprofile_new(parts->p), e };
	return row;
}

/* {"cpuProfile": {"nodes": ..., "samples": ...}, "timeDeltas": ...} */
static void read_data(struct jstream *js, struct cpuprofile *c)
{
	struct str key;

	if (jstream_peek(js) != JSTREAM_OBJECT)
		return;
	jstream_object(js);
	while (jstream_key(js, &key)) {
		if (str_eq(key, STR("cpuProfile")) && jstream_peek(js) == JSTREAM_OBJECT) {
			jstream_object(js);
			while (jstream_key(js, &key))
				if (!cpuprofile_key(js, c, key))
					jstream_skip(js);
		} else if (!cpuprofile_key(js, c, key)) {
			jstream_skip(js);
		}
	}
}

static bool read_event(struct parts *parts, const struct trace *tr, event_id e, struct str data,
		       struct lp_error *err)
{
	struct scroll s;
	uint32_t row = part_of(parts, tr, e, str_eq(trace_name(tr, e), STR("CpuProfile")));

	if (!data.n)
		return true;
	scroll_open_memory(&s, data.p, data.n);
	struct jstream js = jstream_open(&s, tr->source.path, err);
	read_data(&js, parts->at[row].c);
	bool ok = jstream_ok(&js);
	scroll_close(&s);
	return ok;
}

static bool read_events(struct parts *parts, const struct trace *tr, struct lp_error *err)
{
	string_id names[] = { strings_find(&tr->strings, STR("CpuProfile")),
			      strings_find(&tr->strings, STR("Profile")),
			      strings_find(&tr->strings, STR("ProfileChunk")) };
	uint16_t key = arg_key_id(tr, STR("data"));

	for (event_id e = 0; e < tr->ev.n; e++) {
		string_id name = tr->ev.name[e];

		if (name == NONE || (name != names[0] && name != names[1] && name != names[2]))
			continue;
		struct str data = key == UINT16_MAX ? (struct str){ 0 } : arg_text(tr, e, key);
		if (!read_event(parts, tr, e, data, err))
			return false;
	}
	return true;
}

struct profile *chrome_profiles(const struct trace *tr, struct lp_error *err)
{
	struct parts parts = { .p = profile_new(tr->source.path, "Chrome trace") };
	bool ok = read_events(&parts, tr, err);

	for (uint32_t i = 0; i < parts.keys.n; i++) {
		const struct lane *l = &tr->lanes.at[tr->ev.lane[parts.at[i].first]];

		if (ok)
			cpuprofile_finish(parts.at[i].c, text_of(tr, l->thread_name).p,
					  text_of(tr, l->pid).p, text_of(tr, l->tid).p);
		cpuprofile_free(parts.at[i].c);
	}
	free(parts.at);
	strings_free(&parts.keys);
	if (ok)
		return profile_finish(parts.p, err);
	profile_free(parts.p);
	return NULL;
}
