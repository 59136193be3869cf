/*
 * check.h - accounting identities, on in every build.
 *
 * CHECK(kernels_in == kernels_out) that does not hold is a bug of ours: one
 * sentence that asks for a report, and exit 2. For programming errors that cost
 * too much to look for in a release there is assert().
 */
#ifndef BASE_CHECK_H
#define BASE_CHECK_H

_Noreturn void check_failed(const char *identity, const char *file, int line);

#define CHECK(identity) \
	(__builtin_expect(!!(identity), 1) ? (void)0 : check_failed(#identity, __FILE__, __LINE__))

#endif
