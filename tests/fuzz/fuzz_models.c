/* Files of formulas and of GPUs: whatever they hold, an error or costs that can be. */
#include "analysis/arch.h"
#include "analysis/opmodel/usermodel.h"
#include "base/check.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void evaluate(const struct usermodels *u, struct arena *a)
{
	static const char *const args[][3] = {
		{ "[[2, 3, 5], [5, 7], []]", "[\"c10::BFloat16\", \"float\", \"bool\"]",
		  "[\"\", \"4\", \"[8, 9]\", \"True\"]" },
		{ "[]", "[]", "[]" },
		{ "[[], [0], [[2]], 7]", "[\"float\"]", "[\"x\"]" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(args); i++) {
		struct op_args x = op_args_read(str_of(args[i][0]), str_of(args[i][1]), STR("[]"),
						str_of(args[i][2]), a);

		for (uint32_t k = 0; k < u->n; k++) {
			struct op_call c = { .args = x, .a = a };
			struct op_cost o;

			if (usermodel_cost(u->at[k], &c, &o))
				CHECK(o.flops >= 0 && !(o.bytes < 0));
			else
				CHECK(c.why);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct lp_error err = { "" };
	struct arena a = { 0 };

	/* the C library's regular expressions are its own affair: "x{255}{255}" takes all memory */
	if (!memchr(data, '{', n)) {
		struct usermodels *u = usermodels_read_memory("fuzz", data, n, &a, &err);

		CHECK(u || err.text[0]);
		if (u) {
			evaluate(u, &a);
			usermodels_find(u, STR("aten::mm"));
			usermodels_free(u);
		}
	}
	const struct arch *arch = arch_read_memory("fuzz.json", data, n, &a, &err);
	CHECK(arch || err.text[0]);
	if (arch)
		CHECK(arch->gbps > 0);
	arena_free(&a);
	return 0;
}
