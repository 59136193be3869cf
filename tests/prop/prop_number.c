#include "trace/fast_number.h"
#include "trace/number.h"

#include "prop.h"

#include <string.h>

/* Writes a random decimal and gives its value in ns as a 128-bit integer, half away from zero. */
static __int128 random_decimal(char *out)
{
	int whole = 1 + (int)prop_below(16), part = (int)prop_below(10), n = 0;
	bool minus = !prop_below(4);
	__int128 v = 0;

	if (minus)
		out[n++] = '-';
	for (int i = 0; i < whole; i++) {
		char c = (char)('0' + prop_below(10));

		if (!i && whole > 1 && c == '0')
			c = '1';
		out[n++] = c;
		v = 10 * v + (c - '0');
	}
	if (part)
		out[n++] = '.';
	bool up = false;
	for (int i = 0; i < part; i++) {
		char c = (char)('0' + (prop_below(4) ? prop_below(10) : 5 * prop_below(2)));

		out[n++] = c;
		if (i < 3)
			v = 10 * v + (c - '0');
		else if (i == 3)
			up = c >= '5';
	}
	for (int i = part; i < 3; i++)
		v *= 10;
	out[n] = '\0';
	v += up;
	return minus ? -v : v;
}

static void times_are_exact(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < PROP_ROUNDS(20000); round++) {
		char text[64 + 40] = { 0 };
		nsec ns;

		prop_start(round);
		__int128 want = random_decimal(text);
		bool fits = want <= INT64_MAX && want >= -INT64_MAX;
		PROP_CHECK(round, number_ns(str_of(text), &ns) == fits);
		PROP_CHECK(round, !fits || ns == (nsec)want);
	}
}

/* Where the fast reader of numbers answers, it gives the digits there are. */
static void fast_numbers_are_the_same(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < PROP_ROUNDS(20000); round++) {
		char text[64 + 40] = { 0 }, digits[64];
		struct fast_number x = { 0 };

		prop_start(round);
		random_decimal(text);
		size_t n = strlen(text);
		text[n] = ",} \n]e"[prop_below(6)];
		const char *end = fast_number(text, &x);
		size_t count = strcspn(text, ".,} \n]e") - (text[0] == '-'), k = 0;
		for (size_t i = text[0] == '-'; i < n; i++)
			if (text[i] != '.')
				digits[k++] = text[i];
		digits[k] = '\0';
		if (k > 18 || text[n] == 'e') {
			PROP_CHECK(round, !end);
			continue;
		}
		PROP_CHECK(round, end == text + n);
		PROP_CHECK(round, x.digits == strtoull(digits, NULL, 10));
		PROP_CHECK(round, x.decimals == k - count);
		PROP_CHECK(round, x.minus == (text[0] == '-'));
	}
}

static void check_ns(const char *text, bool fits, nsec want)
{
	nsec ns = 0;

	assert_int_equal(number_ns(str_of(text), &ns), fits);
	if (fits)
		assert_true(ns == want);
}

static void times_by_hand(void **unused)
{
	(void)unused;
	check_ns("0", true, 0);
	check_ns("1711111111111111.123", true, 1711111111111111123);
	check_ns("1.711111111111113e15", true, 1711111111111113000);
	check_ns("1E-3", true, 1);
	check_ns("0.0005", true, 1);
	check_ns("0.00049999999999999999999", true, 0);
	check_ns("-0.0005", true, -1);
	check_ns("-12.5", true, -12500);
	check_ns("9223372036854775.807", true, INT64_MAX);
	check_ns("9223372036854775.808", false, 0);
	check_ns("9223372036854775.8074999", true, INT64_MAX);
	check_ns("1e400", false, 0);
	check_ns("0e400", true, 0);
	check_ns("1e-400", true, 0);
	check_ns("123456789012345678901234567890", false, 0);
	check_ns("0000000000000000000000000000001.5", true, 1500);
	check_ns("1.50000000000000000000000000000000000", true, 1500);
	check_ns("1.e1", true, 10000);
	check_ns("+2.", true, 2000);
}

static void numbers_that_are_not_plain_are_left_alone(void **unused)
{
	(void)unused;
	static const char *const odd[] = { "",
					   "-",
					   "+1",
					   "01",
					   "1.",
					   ".5",
					   "1e5",
					   "1.5E5",
					   "x",
					   "--1",
					   "1234567890123456789",
					   "-.5",
					   "00" };
	struct fast_number x;

	for (size_t i = 0; i < ARRAY_SIZE(odd); i++) {
		char text[64] = { 0 };

		memcpy(text, odd[i], strlen(odd[i]));
		assert_null(fast_number(text, &x));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_by_hand),
		cmocka_unit_test(times_are_exact),
		cmocka_unit_test(fast_numbers_are_the_same),
		cmocka_unit_test(numbers_that_are_not_plain_are_left_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
