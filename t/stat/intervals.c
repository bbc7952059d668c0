/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * intervals.c - owners of ranges (analysis/intervals.c), held to an array that has the owner
 * of each byte; as TAP.
 *
 *	intervals		random ranges
 *	intervals N		N pieces of two owners by turns, to be timed
 */
#include "config.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../analysis/internal.h"

#define BYTES 300

static uint32_t owner[BYTES + 1]; /* 0: nobody's */
static uint64_t n, wrong;

static void check(const void *node, VISIT visit, int depth)
{
	const struct iota_interval *i = *(const struct iota_interval *const *)node;
	uint64_t at;

	(void)depth;
	if (visit != postorder && visit != leaf)
		return;
	n++;
	for (at = i->start; at < i->end; at++)
		wrong += owner[at] != i->owner;
}

/* Runs of one owner in the array. */
static uint64_t runs(void)
{
	uint64_t at, count = 0;

	for (at = 0; at < BYTES; at++)
		count += owner[at] && (!at || owner[at - 1] != owner[at]);
	return count;
}

static void set_random(struct iota_intervals *s)
{
	uint64_t start = (uint64_t)rand() % BYTES, end = start + (uint64_t)rand() % 40, others = 0;
	uint32_t who = 1 + (uint32_t)rand() % 4;

	end = end > BYTES ? BYTES : end;
	for (uint64_t at = start; at < end; at++) {
		others += owner[at] && owner[at] != who;
		owner[at] = who;
	}
	wrong += iota_intervals_set(s, start, end, who) != others;
	n = 0;
	twalk(s->tree, check);
	wrong += n != s->n || n != runs();
}

int main(int argc, char **argv)
{
	struct iota_intervals s = {0};
	uint64_t pieces = argc > 1 ? strtoull(argv[1], NULL, 10) : 0, i;

	for (i = 0; i < pieces; i++)
		iota_intervals_set(&s, i * 7919 % pieces * 10, i * 7919 % pieces * 10 + 10,
				   1 + (uint32_t)(i & 1));
	if (pieces) {
		printf("%zu intervals\n", s.n);
		return 0;
	}
	srand(1);
	for (i = 0; i < 20000; i++)
		set_random(&s);
	printf("%sok 1 - intervals are what the array has\n", wrong ? "not " : "");
	iota_intervals_free(&s);
	memset(owner, 0, sizeof(owner));
	iota_intervals_set(&s, UINT64_MAX - 10, UINT64_MAX, 1);
	iota_intervals_set(&s, 0, 0, 1);
	iota_intervals_set(&s, 0, 5, 1);
	printf("%sok 2 - at both ends\n1..2\n", s.n == 2 ? "" : "not ");
	iota_intervals_free(&s);
	return 0;
}
