#include "profile/profile_json.h"

#include "profile/profile_cpuprofile.h"
#include "profile/profile_firefox.h"
#include "profile/profile_speedscope.h"

#define NESTED_MAX 4 /* a profile in a wrapper, with processes in it, and no more */

struct root {
	struct profile *p;
	struct firefox *firefox;
	struct speedscope *speedscope;
	struct cpuprofile *cpuprofile;
	bool has_threads, has_profiles, is_trace;
};

static void read_list(struct jstream *js, struct root *r,
		      bool (*one)(struct jstream *, struct root *))
{
	jstream_array(js);
	while (jstream_item(js)) {
		if (jstream_peek(js) == JSTREAM_OBJECT)
			one(js, r);
		else
			jstream_skip(js);
	}
}

static bool one_thread(struct jstream *js, struct root *r)
{
	return firefox_thread(js, r->firefox);
}

static bool one_profile(struct jstream *js, struct root *r)
{
	return speedscope_profile(js, r->speedscope);
}

static void read_shared(struct jstream *js, struct root *r)
{
	struct str key;

	jstream_object(js);
	while (jstream_key(js, &key)) {
		if (str_eq(key, STR("frames")) && jstream_peek(js) == JSTREAM_ARRAY)
			speedscope_frames(js, r->speedscope);
		else if (!firefox_shared_key(js, r->firefox, key))
			jstream_skip(js);
	}
	if (jstream_ok(js))
		firefox_shared_end(r->firefox);
}

/* A key whose value is read by one of the formats; false if none knows it. */
static bool read_key(struct jstream *js, struct root *r, struct str key)
{
	enum jstream_type type = jstream_peek(js);

	if (str_eq(key, STR("meta")) && type == JSTREAM_OBJECT) {
		firefox_meta(js, r->firefox);
	} else if (str_eq(key, STR("threads")) && type == JSTREAM_ARRAY) {
		r->has_threads = true;
		read_list(js, r, one_thread);
	} else if (str_eq(key, STR("shared")) && type == JSTREAM_OBJECT) {
		read_shared(js, r);
	} else if (str_eq(key, STR("profiles")) && type == JSTREAM_ARRAY) {
		r->has_profiles = true;
		read_list(js, r, one_profile);
	} else {
		return cpuprofile_key(js, r->cpuprofile, key);
	}
	return true;
}

/*
 * An object that may hold a profile, and those inside it: "profile" wraps one, "processes" lists
 * more. `lists` says at which depth such a list is open.
 */
static void read_root(struct jstream *js, struct root *r)
{
	bool in_list[NESTED_MAX] = { false };
	int depth = 0;
	struct str key;

	jstream_object(js);
	while (depth >= 0 && jstream_ok(js)) {
		if (in_list[depth]) {
			in_list[depth] = jstream_item(js);
			if (in_list[depth] && jstream_peek(js) == JSTREAM_OBJECT)
				in_list[++depth] = !jstream_object(js);
			else if (in_list[depth])
				jstream_skip(js);
		} else if (!jstream_key(js, &key)) {
			depth--;
		} else if (str_eq(key, STR("traceEvents"))) {
			r->is_trace = true;
			return;
		} else if (depth + 2 < NESTED_MAX && str_eq(key, STR("profile")) &&
			   jstream_peek(js) == JSTREAM_OBJECT) {
			in_list[++depth] = !jstream_object(js);
		} else if (depth + 2 < NESTED_MAX && str_eq(key, STR("processes")) &&
			   jstream_peek(js) == JSTREAM_ARRAY) {
			in_list[depth] = jstream_array(js);
		} else if (!read_key(js, r, key)) {
			jstream_skip(js);
		}
	}
}

/* Puts together what was read; false if it is no profile or does not fit. */
static bool finish(struct root *r, struct lp_error *err)
{
	if (r->has_profiles) {
		r->p->format = "speedscope";
		return speedscope_finish(r->speedscope, err);
	}
	if (r->has_threads) {
		r->p->format = "Firefox profile";
		firefox_finish(r->firefox);
		return true;
	}
	if (cpuprofile_any(r->cpuprofile)) {
		r->p->format = "V8 profile";
		cpuprofile_finish(r->cpuprofile, NULL, NULL, NULL);
		return true;
	}
	return error_set(err, "%s: JSON, but neither a profile that we know nor a trace",
			 r->p->path);
}

enum profile_answer profile_json(struct scroll *w, const char *path, struct profile_options o,
				 struct profile **out, struct lp_error *err)
{
	struct jstream js = jstream_open(w, path, err);
	struct root r = { .p = profile_new(path, "") };
	bool ok;

	if (jstream_peek(&js) == JSTREAM_ARRAY) {
		profile_free(r.p);
		return PROFILE_TRACE;
	}
	r.firefox = firefox_new(r.p, o);
	r.speedscope = speedscope_new(r.p);
	r.cpuprofile = cpuprofile_new(r.p);
	read_root(&js, &r);
	ok = !r.is_trace && jstream_ok(&js) && finish(&r, err);
	bool again = firefox_again(r.firefox);

	firefox_free(r.firefox);
	speedscope_free(r.speedscope);
	cpuprofile_free(r.cpuprofile);
	if (!ok) {
		profile_free(r.p);
		return r.is_trace ? PROFILE_TRACE : again ? PROFILE_AGAIN : PROFILE_REFUSED;
	}
	*out = profile_finish(r.p, err);
	return *out ? PROFILE_READ : PROFILE_REFUSED;
}
