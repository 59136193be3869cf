/* The text of rules: METRIC>LIMIT[,LIMIT], LIMIT a number with %, ns, us, ms, s or nothing. */
#include "analysis/diff_gate.h"

#include "base/scaled.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
	const char *unit;
	unsigned places; /* of ten, to nanoseconds */
} units[] = { { "ns", 0 }, { "us", 3 }, { "µs", 3 }, { "ms", 6 }, { "s", 9 } };

static bool is_counted(enum diff_line l)
{
	return l == LINE_KERNELS || l == LINE_COPIES || l == LINE_SETS || l == LINE_LAUNCHES ||
	       l == LINE_FRAMES || l == LINE_CPU_TIME;
}

static bool set_metric(struct gate_rule *r, struct str metric)
{
	if (str_starts(metric, STR("op:")) || str_starts(metric, STR("kernel:"))) {
		size_t n = metric.p[0] == 'o' ? 3 : 7;

		r->metric = n == 3 ? GATE_OP : GATE_KERNEL;
		r->name = (struct str){ metric.p + n, metric.n - n };
		return r->name.n > 0;
	}
	if (str_eq(metric, STR("step_time"))) {
		r->metric = GATE_STEP_TIME;
		return true;
	}
	if (str_eq(metric, STR("cpu_time"))) {
		r->line = LINE_CPU_TIME;
		r->metric = GATE_LINE;
		return true;
	}
	for (int l = 0; l < LINES; l++)
		if (str_eq(metric, str_of(diff_line_name((enum diff_line)l)))) {
			r->line = (enum diff_line)l;
			r->metric = is_counted(r->line) ? GATE_COUNT : GATE_LINE;
			return true;
		}
	return false;
}

/* The digits at the front of a limit; what follows is its unit. */
static size_t number_length(const char *text, size_t n)
{
	size_t i = 0;

	while (i < n && ((text[i] >= '0' && text[i] <= '9') || text[i] == '.'))
		i++;
	return i;
}

static bool set_limit(struct gate_rule *r, const char *text, size_t n)
{
	size_t digits = number_length(text, n);
	struct str unit = { text + digits, n - digits };
	struct scaled v;

	if (!digits || !scaled_parse((struct str){ text, digits }, &v))
		return false;
	if (str_eq(unit, STR("%"))) {
		r->percent = (double)v.mantissa / (double)scaled_power(v.places);
		return true;
	}
	if (!unit.n && r->metric == GATE_COUNT)
		return scaled_round(v, 0, &r->count);
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (str_eq(unit, str_of(units[i].unit)) && r->metric != GATE_COUNT)
			return scaled_round(v, units[i].places, &r->ns);
	return false;
}

static bool parse_rule(const char *text, struct gate_rule *r, struct lp_error *err)
{
	const char *more = strrchr(text, '>'); /* names have '>', limits do not */

	*r = (struct gate_rule){ .text = text, .percent = NAN, .ns = NSEC_NONE, .count = -1 };
	if (!more)
		return error_set(
			err, "rule '%.100s': expected METRIC>LIMIT, as in gpu_time>2%%,50us", text);
	if (!set_metric(r, (struct str){ text, (size_t)(more - text) }))
		return error_set(
			err,
			"rule '%.100s': no such metric; there are gpu_time, gpu_busy, gpu_idle, "
			"gpu_span, cpu_time, step_time, kernels, copies, sets, operators, launches, "
			"python, "
			"op:NAME and kernel:NAME",
			text);
	for (const char *p = more + 1;; p++) {
		size_t n = strcspn(p, ",");

		if (!set_limit(r, p, n))
			return error_set(
				err, "rule '%.100s': '%.*s' is no limit: expected a number with %s",
				text, (int)MIN_OF(n, 40u), p,
				r->metric == GATE_COUNT ? "% or nothing" : "%, ns, us, ms or s");
		p += n;
		if (!*p)
			return true;
	}
}

/* Lines of a file without comments and blanks around them. */
static bool read_lines(const char *path, struct gate_rules *out, uint32_t room, struct arena *a,
		       struct lp_error *err)
{
	FILE *f = fopen(path, "r");
	char line[1024];
	bool ok = true;

	if (!f)
		return error_set(err, "%s: cannot open: %s", path, strerror(errno));
	while (ok && fgets(line, sizeof(line), f)) {
		char *p = line, *end = line + strcspn(line, "#\r\n");

		while (p < end && isspace((unsigned char)*p))
			p++;
		while (end > p && isspace((unsigned char)end[-1]))
			end--;
		if (p == end)
			continue;
		if (out->n == room)
			ok = error_set(err, "%s: more than %u rules", path, room);
		else
			ok = parse_rule(arena_text(a, p, (size_t)(end - p)), &out->at[out->n++],
					err);
	}
	fclose(f);
	return ok &&
	       (out->n || error_set(err, "%s: there is no rule in it: nothing could fail", path));
}

bool gate_parse(const char *const *text, unsigned n, const char *file, struct gate_rules *out,
		struct arena *a, struct lp_error *err)
{
	uint32_t room = n + (file ? 1000 : 0);

	*out = (struct gate_rules){ 0, NEW(a, room, struct gate_rule) };
	for (unsigned i = 0; i < n; i++)
		if (!parse_rule(text[i], &out->at[out->n++], err))
			return false;
	return !file || read_lines(file, out, room, a, err);
}
