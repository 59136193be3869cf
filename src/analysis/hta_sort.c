/*
 * Quicksort with the median of three, insertion sort for 17 and fewer, and heapsort where the
 * recursion goes deeper than twice the logarithm. Which of two equal keys comes first follows
 * from exactly these steps.
 */
#include "analysis/hta.h"

#define SMALL 16
#define STACK 128

static void swap(uint32_t *a, uint32_t *b)
{
	uint32_t x = *a;

	*a = *b;
	*b = x;
}

/* at[1 .. n] is a heap below `i` but for `item`, which belongs at i or deeper. */
static void sift(uint32_t *at, int64_t i, int64_t n, uint32_t item, const usec *key)
{
	for (int64_t j = 2 * i; j <= n; j *= 2) {
		if (j < n && key[at[j]] < key[at[j + 1]])
			j++;
		if (key[item] >= key[at[j]])
			break;
		at[i] = at[j];
		i = j;
	}
	at[i] = item;
}

static void heapsort_ids(uint32_t *id, int64_t n, const usec *key)
{
	uint32_t *at = id - 1;

	for (int64_t i = n / 2; i > 0; i--)
		sift(at, i, n, at[i], key);
	while (n > 1) {
		uint32_t item = at[n];
		at[n--] = at[1];
		sift(at, 1, n, item, key);
	}
}

static void insertion_sort(uint32_t *from, const uint32_t *to, const usec *key)
{
	for (uint32_t *i = from + 1; i <= to; i++) {
		uint32_t item = *i, *j = i;
		for (; j > from && key[item] < key[j[-1]]; j--)
			*j = j[-1];
		*j = item;
	}
}

/* Splits [from, to]; returns where the pivot has come to lie. */
static uint32_t *partition(uint32_t *from, uint32_t *to, const usec *key)
{
	uint32_t *mid = from + (to - from) / 2, *i = from, *j = to - 1;

	if (key[*mid] < key[*from])
		swap(mid, from);
	if (key[*to] < key[*mid])
		swap(to, mid);
	if (key[*mid] < key[*from])
		swap(mid, from);
	usec pivot = key[*mid];
	swap(mid, j);
	for (;;) {
		do
			i++;
		while (key[*i] < pivot);
		do
			j--;
		while (pivot < key[*j]);
		if (i >= j)
			break;
		swap(i, j);
	}
	swap(i, to - 1);
	return i;
}

void hta_sort(uint32_t *id, uint32_t n, const usec *key)
{
	struct {
		uint32_t *from, *to;
		int depth;
	} stack[STACK];
	int top = 0, depth = n ? 2 * (31 - __builtin_clz(n)) : 0;
	uint32_t *from = id, *to = id + n - 1;

	if (n < 2)
		return;
	for (;;) {
		if (depth < 0) {
			heapsort_ids(from, to - from + 1, key);
		} else {
			while (to - from > SMALL) {
				uint32_t *at = partition(from, to, key);
				bool left_is_less = at - from < to - at;
				stack[top].from = left_is_less ? at + 1 : from;
				stack[top].to = left_is_less ? to : at - 1;
				stack[top++].depth = --depth;
				from = left_is_less ? from : at + 1;
				to = left_is_less ? at - 1 : to;
			}
			insertion_sort(from, to, key);
		}
		if (!top--)
			return;
		from = stack[top].from;
		to = stack[top].to;
		depth = stack[top].depth;
	}
}
