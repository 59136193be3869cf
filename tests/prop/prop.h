/*
 * prop.h - random data for tests of laws.
 *
 * PROP_SEED and PROP_ROUNDS in the environment choose other runs; a failing run
 * prints the seed it began with.
 */
#ifndef PROP_PROP_H
#define PROP_PROP_H

#include <stdarg.h>
#include <stdbool.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static uint64_t prop_state;

static inline uint64_t prop_env(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : otherwise;
}

/* Starts round `round` of a law; its seed alone reproduces it. */
static inline void prop_start(unsigned round)
{
	prop_state = prop_env("PROP_SEED", 1) + round;
}

static inline uint64_t prop_next(void)
{
	uint64_t z = prop_state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

/* 0 .. n-1 */
static inline uint32_t prop_below(uint32_t n)
{
	return (uint32_t)(prop_next() % n);
}

#define PROP_ROUNDS(n) ((unsigned)prop_env("PROP_ROUNDS", (n)))

/* assert_true that says which seed to run again. */
#define PROP_CHECK(round, law)                                                                \
	do {                                                                                  \
		if (!(law)) {                                                                 \
			print_error("PROP_SEED=%llu PROP_ROUNDS=1: %s\n",                     \
				    (unsigned long long)(prop_env("PROP_SEED", 1) + (round)), \
				    #law);                                                    \
			assert_true(law);                                                     \
		}                                                                             \
	} while (0)

static uint32_t prop_running = UINT32_MAX; /* the round of a PROP_LAW that runs, or none */

/* A teardown: a law that failed did not come to its end; says how to run that round again. */
static inline int prop_tell(void **state)
{
	(void)state;
	if (prop_running != UINT32_MAX)
		print_error("PROP_SEED=%llu PROP_ROUNDS=1\n",
			    (unsigned long long)prop_env("PROP_SEED", 1) + prop_running);
	prop_running = UINT32_MAX;
	return 0;
}

/* PROP_LAW(n) { ... }: n rounds, each with random data of its own; `round` counts them. */
#define PROP_LAW(n)                                                                            \
	for (unsigned round = 0; round < PROP_ROUNDS(n) || (prop_running = UINT32_MAX, false); \
	     round++)                                                                          \
		if (prop_start(prop_running = round), true)

#endif
