#include "trace/counter.h"

const struct counter_text counter_texts[COUNTERS] = {
#define X(name, severity, text) { #name, SEVERITY_##severity, text },
#include "trace/counters.def"
#undef X
};

static void add(struct counters *c, enum counter what, uint64_t n, uint64_t byte)
{
	if (!n)
		return;
	if (!c->n[what] || byte < c->first_byte[what])
		c->first_byte[what] = byte;
	c->n[what] += n;
}

void counter_hit(struct counters *c, enum counter what, uint64_t byte)
{
	add(c, what, 1, byte);
}

void counters_merge(struct counters *into, const struct counters *from)
{
	for (enum counter i = 0; i < COUNTERS; i++)
		add(into, i, from->n[i], from->first_byte[i]);
}

enum counter counters_first(const struct counters *c, enum severity least)
{
	enum counter first = COUNTERS;

	for (enum counter i = 0; i < COUNTERS; i++) {
		if (!c->n[i] || counter_texts[i].severity < least)
			continue;
		if (first == COUNTERS || c->first_byte[i] < c->first_byte[first])
			first = i;
	}
	return first;
}

uint64_t counters_dropped(const struct counters *c)
{
	return c->n[COUNT_SYNTAX] + c->n[COUNT_TRUNCATED] + c->n[COUNT_EMPTY_EVENT] +
	       c->n[COUNT_UNMATCHED_END];
}

uint64_t counters_repaired(const struct counters *c)
{
	return c->n[COUNT_IMPOSSIBLE_DUR] + c->n[COUNT_PARTIAL_OVERLAP] + c->n[COUNT_UNCLOSED] +
	       c->n[COUNT_MISSING_DUR] + c->n[COUNT_UNESCAPED_QUOTE];
}

const char *severity_name(enum severity s)
{
	static const char *const names[] = { "note", "warning", "error" };

	return names[s];
}
