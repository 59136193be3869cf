/*
 * Reads {"name", "devices": [..], "source", "mem_bw_gbps", "max_achievable_tflops":
 * {"matrix_bf16": ..}}. Other keys are no error, since other tools have some, but are said.
 */
#include "analysis/arch.h"

#include "base/check.h"
#include "base/embedded.h"
#include "base/json.h"
#include "base/jstream.h"

static const char *const precisions[ARCH_PRECISIONS] = {
	"fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "fp6", "fp4", "int8",
};

const char *arch_precision_name(uint32_t i)
{
	return i < ARCH_PRECISIONS ? precisions[i] : NULL;
}

struct reading {
	struct jstream js;
	struct arena *a;
	struct arch *arch;
	bool peaks;
};

static void ignore(struct reading *r, const char *prefix, struct str key)
{
	const char *before = r->arch->ignored;

	r->arch->ignored = arena_print(r->a, "%s%s'%s%.*s'", before ? before : "",
				       before ? ", " : "", prefix, key.n > 60 ? 60 : (int)key.n,
				       key.p);
	jstream_skip(&r->js);
}

static bool positive(struct reading *r, const char *what, struct str key, double *out)
{
	struct str text;

	if (jstream_peek(&r->js) != JSTREAM_NUMBER)
		return jstream_fail(&r->js,
				    arena_print(r->a, "%s%.*s is no number", what, STR_ARGS(key)));
	if (!jstream_number(&r->js, &text))
		return false;
	struct json number = json_open(text);
	return (json_next(&number) && json_f64(&number, out) && *out > 0 && *out < 1e12) ||
	       jstream_fail(&r->js,
			    arena_print(r->a, "%s%.*s is not above zero", what, STR_ARGS(key)));
}

static double *peak_slot(struct arch *arch, struct str key)
{
	static const struct str units[] = {
		[UNIT_MATRIX] = { "matrix_", 7 },
		[UNIT_VECTOR] = { "vector_", 7 },
	};

	for (int u = UNIT_MATRIX; u <= UNIT_VECTOR; u++)
		for (uint32_t p = 0; str_starts(key, units[u]) && p < ARCH_PRECISIONS; p++)
			if (str_eq((struct str){ key.p + 7, key.n - 7 }, str_of(precisions[p])))
				return &arch->tflops[u][p];
	return NULL;
}

static bool read_peaks(struct reading *r)
{
	struct str key;

	if (!jstream_object(&r->js))
		return false;
	while (jstream_key(&r->js, &key)) {
		key = str_of(arena_text(r->a, key.p, key.n));
		double *slot = peak_slot(r->arch, key);

		if (!slot)
			ignore(r, "max_achievable_tflops.", key);
		else if (!positive(r, "max_achievable_tflops: ", key, slot))
			return false;
		r->peaks |= slot != NULL;
	}
	return jstream_ok(&r->js);
}

static const char *read_text(struct reading *r)
{
	struct str s;

	return jstream_string(&r->js, &s) ? arena_text(r->a, s.p, s.n) : NULL;
}

static bool read_devices(struct reading *r)
{
	uint32_t cap = 0;

	if (!jstream_array(&r->js))
		return false;
	while (jstream_item(&r->js)) {
		if (r->arch->ndevices == cap) {
			const char **more = NEW(r->a, cap = 2 * cap + 4, const char *);

			if (r->arch->ndevices)
				memcpy(more, r->arch->device, r->arch->ndevices * sizeof(*more));
			r->arch->device = more;
		}
		const char *part = read_text(r);
		if (!part)
			return false;
		r->arch->device[r->arch->ndevices++] = part;
	}
	return jstream_ok(&r->js);
}

static bool read_value(struct reading *r, struct str key)
{
	if (str_eq(key, STR("name")))
		return (r->arch->name = read_text(r)) != NULL;
	if (str_eq(key, STR("source")))
		return (r->arch->source = read_text(r)) != NULL;
	if (str_eq(key, STR("devices")))
		return read_devices(r);
	if (str_eq(key, STR("mem_bw_gbps")))
		return positive(r, "", key, &r->arch->gbps);
	if (str_eq(key, STR("max_achievable_tflops")))
		return read_peaks(r);
	ignore(r, "", key);
	return jstream_ok(&r->js);
}

static const struct arch *read_all(struct scroll *w, const char *path, struct arena *a,
				   struct lp_error *err)
{
	struct reading r = { jstream_open(w, path, err), a, NEW(a, 1, struct arch), false };
	struct str key;

	r.arch->path = r.arch->name = r.arch->source = arena_text(a, path, strlen(path));
	if (!jstream_object(&r.js))
		return NULL;
	while (jstream_key(&r.js, &key))
		if (!read_value(&r, str_of(arena_text(a, key.p, key.n))))
			return NULL;
	if (!jstream_ok(&r.js))
		return NULL;
	if (jstream_byte(&r.js)) {
		jstream_fail(&r.js, "something stands behind the object");
		return NULL;
	}
	if (!(r.arch->gbps > 0) || !r.peaks) {
		error_set(err, "%s: %s is missing: there is no roof without", path,
			  r.peaks ? "mem_bw_gbps" : "max_achievable_tflops with a peak in it");
		return NULL;
	}
	return r.arch;
}

const struct arch *arch_read_memory(const char *path, const void *text, size_t n, struct arena *a,
				    struct lp_error *err)
{
	struct scroll w;

	scroll_open_memory(&w, text, n);
	const struct arch *arch = read_all(&w, path, a, err);
	scroll_close(&w);
	return arch;
}

const struct arch *arch_read(const char *path, struct arena *a, struct lp_error *err)
{
	struct input *in = input_open(path, err);
	struct scroll w;

	if (!in)
		return NULL;
	scroll_open(&w, in);
	const struct arch *arch = read_all(&w, path, a, err);
	scroll_close(&w);
	input_close(in);
	return arch;
}

const struct arch **arch_known(struct arena *a)
{
	uint32_t n = 0;

	while (arch_files[n].name)
		n++;
	const struct arch **known = NEW(a, n + 1, const struct arch *);
	for (uint32_t i = 0; i < n; i++) {
		struct lp_error err = { "" };

		known[i] = arch_read_memory(arch_files[i].name, arch_files[i].bytes,
					    arch_files[i].n, a, &err);
		CHECK(known[i] && !known[i]->ignored);
	}
	return known;
}
