/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * intervals.c - owners of ranges (analysis/intervals.c, owned.c), held to an array that has the owner
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

/* ---- so many that they are thinned ---- */

#define PLACES (1u << 23) /* of 16 bytes */
static unsigned char there[PLACES / 8];

static uint64_t random_place(void)
{
	return ((uint64_t)rand() << 15 ^ (uint64_t)rand()) % PLACES;
}

/* 8 bytes at random places of 128 MB, for each of so many; how many different ones in all. */
static uint64_t set_places(struct iota_owned **s, unsigned seed, uint64_t many)
{
	uint64_t at, different = 0;

	for (srand(seed); many; many--) {
		at = random_place();
		set(s, 16 * at, 16 * at + 8, 1 + (uint32_t)(at & 1), at % 7);
		different += !(there[at / 8] & 1 << at % 8);
		there[at / 8] |= (unsigned char)(1 << at % 8);
	}
	return different;
}

static bool is_near(uint64_t is, uint64_t wanted)
{
	return is > wanted - wanted / 50 && is < wanted + wanted / 50;
}

struct list {
	struct iota_interval at[1000000];
	size_t n;
};
static struct list list[2];

static void keep(void *arg, const struct iota_interval *i)
{
	struct list *l = arg;

	l->at[l->n++] = *i;
}

static bool are_same(const struct iota_owned *x, const struct iota_owned *y)
{
	size_t i;

	list[0].n = list[1].n = 0;
	iota_owned_each(x, keep, &list[0]);
	iota_owned_each(y, keep, &list[1]);
	for (i = 0; i < list[0].n && list[0].n == list[1].n; i++)
		if (list[0].at[i].start != list[1].at[i].start || list[0].at[i].end != list[1].at[i].end ||
		    !iota_interval_same(&list[0].at[i], &list[1].at[i]))
			return false;
	return list[0].n == list[1].n && iota_owned_bytes(x) == iota_owned_bytes(y) &&
	       iota_owned_stand_for(x) == iota_owned_stand_for(y);
}

static struct begins {
	const struct iota_owned *of;
	uint64_t n, end;
} begins;

static void count_begins(void *unused, const struct iota_interval *i)
{
	(void)unused;
	begins.n += i->start != begins.end && iota_owned_begins(begins.of, i->start);
	begins.end = i->end;
}

static void check_thinned(void)
{
	struct iota_owned *all = NULL, *half[2] = {NULL}, *joined = NULL;
	uint64_t different = set_places(&all, 1, 300000), at, kept;

	different += set_places(&all, 2, 300000);
	kept = iota_owned_n(all);
	begins = (struct begins){.of = all, .end = UINT64_MAX};
	iota_owned_each(all, count_begins, NULL);
	printf("# %ju places: %ju intervals kept, each for %ju; %ju bytes\n", (uintmax_t)different, (uintmax_t)kept,
	       (uintmax_t)iota_owned_stand_for(all), (uintmax_t)iota_owned_bytes(all));
	printf("%sok 4 - of many ranges few are kept\n", kept && kept < different / 3 ? "" : "not ");
	printf("%sok 5 - from which follows how many bytes there were\n",
	       is_near(iota_owned_bytes(all), 8 * different) ? "" : "not ");
	printf("%sok 6 - and how many ranges\n", is_near(begins.n * iota_owned_stand_for(all), different) ? "" : "not ");
	set_places(&half[0], 1, 300000);
	set_places(&half[1], 2, 300000);
	iota_owned_join(&memory, &joined, half[1]);
	iota_owned_join(&memory, &joined, half[0]);
	printf("%sok 7 - the same in two parts\n", are_same(all, joined) ? "" : "not ");
	for (at = 0; at < PLACES; at += 512)
		set(&all, 16 * at, 16 * (at + 512), 1, 8);
	printf("%sok 8 - what is whole is exact\n", iota_owned_bytes(all) == 16ull * PLACES ? "" : "not ");
	set(&all, 0, UINT64_MAX, 2, 9);
	printf("%sok 9 - also if it is all that an offset can say\n", iota_owned_bytes(all) == UINT64_MAX ? "" : "not ");
	forget(&all);
	forget(&half[0]);
	forget(&half[1]);
	forget(&joined);
	/* whatever comes again and again */
	for (at = 0; at < 1000000; at++)
		set(&all, at * 7919 % 60000 * 512, at * 7919 % 60000 * 512 + 100, 0, 0);
	printf("%sok 10 - a smaller file is not thinned\n",
	       iota_owned_bytes(all) == 60000 * 100 && iota_owned_stand_for(all) == 1 ? "" : "not ");
	forget(&all);
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
	       "other\n",
	       iota_owned_n(s), wrong ? "not " : "");
	forget(&s);
	check_thinned();
	puts("1..10");
	iota_memory_free(&memory);
	return 0;
}
