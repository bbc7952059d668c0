/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fresh.c - where units stand that no data transfer has had yet.  Only a transfer tells
 * where the runtime keeps its unit (unit.c), and a formatted one has by then gone
 * through its format as far as the first item, and read or written the records before
 * it.  Until then a unit stands where it was opened.
 */
#include "gfortran.h"

/* By number; a place that two units want is of no use to either. */
static struct place {
	uint64_t unit;			/* and STATE */
	int64_t pos;
} places[IOT_F_UNITS];
#define STATE	 3u
#define NOBODY	 0u
#define KNOWN	 1u
#define NOT_KNOWN 2u			/* or: being changed */
#define TWO	 3u

static struct place *place_of(int32_t unit, uint64_t *is)
{
	struct place *p = &places[(uint32_t)unit % IOT_F_UNITS];

	*is = __atomic_load_n(&p->unit, __ATOMIC_ACQUIRE);
	if ((*is & STATE) != NOBODY && (int32_t)(uint32_t)(*is >> 2) != unit)
		*is = TWO;
	return p;
}

/* -1: who knows. */
void iot_f_stands(int32_t unit, int64_t pos)
{
	uint64_t is, mine = (uint64_t)(uint32_t)unit << 2;
	struct place *p = place_of(unit, &is);

	if (is == TWO) {
		__atomic_store_n(&p->unit, TWO, __ATOMIC_RELEASE);
		return;
	}
	if (!__atomic_compare_exchange_n(&p->unit, &is, mine | NOT_KNOWN, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return;
	if (pos < 0)
		return;
	p->pos = pos;
	is = mine | NOT_KNOWN;
	__atomic_compare_exchange_n(&p->unit, &is, mine | KNOWN, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

/* -1: not known.  A unit that nothing was heard of stands at its beginning: it was
   connected before the program began, or will be by the next transfer. */
int64_t iot_f_fresh(int32_t unit)
{
	uint64_t is;
	const struct place *p = place_of(unit, &is);
	int64_t pos = p->pos;

	if ((is & STATE) == NOBODY)
		return 0;
	return is != TWO && (is & STATE) == KNOWN && __atomic_load_n(&p->unit, __ATOMIC_ACQUIRE) == is ? pos : -1;
}
