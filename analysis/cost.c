/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cost.c - what a fix would save, by what this run's own calls cost.
 *
 * A call costs so much, and each byte that it moves so much more.  What a byte costs, large
 * calls of the run tell, if it has any.  The upper end of an estimate takes all of a small
 * call's time for the price of the call; at the lower end bytes keep their price, and the
 * longest call, which may have been an accident, its time.
 */
#include "config.h"

#include "spots.h"

#define LARGE 65536	  /* bytes */
#define PICOS_A_BYTE 1000 /* where no large call tells: as a copy in memory, and a slow one */

/* ps a byte, in calls that read or write as those of the finding */
static uint64_t price(const struct iota *a, enum iota_does does)
{
	uint64_t bytes = 0, time = 0;
	size_t i;

	for (i = 0; i < a->spots.n; i++) {
		const struct iota_spot *s = a->spots.spot[i];

		if (s->does != does || !s->is_syscall || !s->v[IOTA_S_TIME] ||
		    s->v[IOTA_S_BYTES] / s->v[IOTA_S_CALLS] < LARGE)
			continue;
		bytes += s->v[IOTA_S_BYTES];
		time += s->v[IOTA_S_TIME];
	}
	return bytes ? (uint64_t)((double)time * 1000 / (double)bytes) : PICOS_A_BYTE;
}

static void set(struct iota_finding *f, uint64_t high, uint64_t less)
{
	f->saves[1] = high;
	f->saves[0] = high > less ? high - less : 0;
}

void iota_saves_without(struct iota_finding *f, uint64_t n)
{
	uint64_t high = f->calls ? (uint64_t)((double)f->time * (double)n / (double)f->calls) : 0;

	set(f, high < f->time ? high : f->time, f->longest + high / 10);
}

void iota_saves_merged(struct iota *a, struct iota_finding *f, uint64_t fewer)
{
	uint64_t high, moving;

	if (!f->calls || fewer >= f->calls)
		return;
	high = (uint64_t)((double)f->time * (1 - (double)fewer / (double)f->calls));
	moving = (uint64_t)((double)f->bytes * (double)price(a, f->does) / 1000);
	set(f, high, f->longest + (moving < high / 2 ? moving : high / 2));
}
