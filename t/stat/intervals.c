/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * intervals.c - owners of ranges (analysis/intervals.c), held to an array that has the owner
 * of each byte; as TAP.
 *
 *	intervals		random ranges
 *	intervals N		N pieces of two owners by turns, to be timed
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "../../analysis/internal.h"

#define FEW 3000
#define MANY 1000000
#define FAR (UINT64_C(1) << 52) /* where the second half of many lies */

static uint64_t size = FEW;
static uint32_t owner[MANY + 1]; /* 0: nobody's */
static uint64_t since[MANY + 1];
static uint64_t n, behind, wrong;

static uint64_t offset_of(uint64_t at)
{
	return size == MANY && at >= MANY / 2 ? at + FAR : at;
}

static void check(void *unused, const struct iota_interval *i)
{
	uint64_t at, far = i->start < FAR ? 0 : FAR;

	(void)unused;
	wrong += i->start < behind || i->start >= i->end;
	behind = i->end;
	n++;
	for (at = i->start - far; at < i->end - far; at++)
		wrong += owner[at] != i->owner || since[at] != i->time;
}

/* Runs of one owner in the array. */
static uint64_t runs(void)
{
	uint64_t at, count = 0;

	for (at = 0; at < size; at++)
		count += owner[at] &&
			 (!at || owner[at - 1] != owner[at] || since[at - 1] != since[at] ||
			  offset_of(at - 1) + 1 != offset_of(at));
	return count;
}

static struct iota_memory memory;

static void set(struct iota_owned **s, uint64_t start, uint64_t end, uint32_t who, uint64_t time)
{
	iota_owned_set(
		&memory, s,
		(struct iota_interval){.start = start, .end = end, .time = time, .owner = who});
}

/* Times go up and down, and come again. */
static void set_random(struct iota_owned **s)
{
	uint64_t start = (uint64_t)rand() % size, end = start + (uint64_t)rand() % 40;
	uint64_t far = offset_of(start) - start, limit = far || size == FEW ? size : size / 2;
	uint64_t time = (uint64_t)rand() % 50;
	uint32_t who = 1 + (uint32_t)rand() % 4;

	end = end > limit ? limit : end;
	for (uint64_t at = start; at < end; at++) {
		if (owner[at] && (since[at] > time || (since[at] == time && owner[at] > who)))
			continue;
		owner[at] = who;
		since[at] = time;
	}
	set(s, start + far, end + far, who, time);
}

static void check_all(struct iota_owned *s)
{
	uint64_t bytes = 0;

	n = behind = 0;
	iota_owned_each(s, check, NULL);
	for (uint64_t at = 0; at < size; at++)
		bytes += owner[at] != 0;
	wrong += n != iota_owned_n(s) || n != runs() || bytes != iota_owned_bytes(s);
}

/* Nobody has any; else the latest times would soon be everywhere. */
static void forget(struct iota_owned **s)
{
	iota_owned_free(s);
	memset(owner, 0, sizeof(owner));
	memset(since, 0, sizeof(since));
}

int main(int argc, char **argv)
{
	struct iota_owned *s = NULL;
	uint64_t pieces = argc > 1 ? strtoull(argv[1], NULL, 10) : 0, i;

	for (i = 0; i < pieces; i++)
		set(&s, i * 7919 % pieces * 10, i * 7919 % pieces * 10 + 10, 1 + (uint32_t)(i & 1),
		    i);
	if (pieces) {
		printf("%zu intervals\n", iota_owned_n(s));
		return 0;
	}
	srand(1);
	for (i = 0; i < 20000; i++) {
		if (i % (i < 2000 ? 8 : 2000) == 0)
			forget(&s); /* most files have few of them */
		set_random(&s);
		check_all(s);
	}
	printf("%sok 1 - intervals are what the array has\n", wrong ? "not " : "");
	forget(&s);
	set(&s, UINT64_MAX - 10, UINT64_MAX, 1, 0);
	set(&s, 0, 0, 1, 0);
	set(&s, 0, 5, 1, 0);
	printf("%sok 2 - at both ends\n", iota_owned_n(s) == 2 ? "" : "not ");
	forget(&s);
	size = MANY;
	for (i = wrong = 0; i < 200000; i++) {
		set_random(&s);
		if (i % 7001 == 0)
			check_all(s);
	}
	check_all(s);
	printf("# %zu intervals\n%sok 3 - where there are so many that they wait for each "
	       "other\n1..3\n",
	       iota_owned_n(s), wrong ? "not " : "");
	forget(&s);
	iota_memory_free(&memory);
	return 0;
}
