#include "trace/derive.h"

struct derived *trace_derived(struct trace *tr)
{
	if (!tr->derived)
		tr->derived = NEW(&tr->arena, 1, struct derived);
	return tr->derived;
}
