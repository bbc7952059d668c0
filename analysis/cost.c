/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cost.c - what a fix would save, by what this run's own calls cost.
 *
 * A call costs so much, and each byte that it moves so much more.  What a byte costs, large
 * calls of the run tell, if it has any.  At the upper end of an estimate a byte costs no more than
 * in a copy in memory; at the lower end bytes have their price, and the longest call, which may
 * have been an accident, keeps its time.
 *
 * An estimate says by how much the run becomes shorter.  What several threads or processes do at
 * the same time, they save at the same time.
 */
#include "config.h"

#include "spots.h"

#define LARGE 65536	  /* bytes */
#define SMALL 4096
/* Where no large call tells: as copies in memory take, and slow ones. */
#define PICOS_A_BYTE 100
#define SLOW_PICOS_A_BYTE 1000
#define NANOS_A_CALL 1000

/* ps a byte, in calls that read or write as those of the finding; 0: not known */
static double price(const struct iota *a, enum iota_does does)
{
	uint64_t bytes = 0, time = 0;
	size_t i;

	for (i = 0; i < a->spots.n; i++) {
		const struct iota_spot *s = a->spots.spot[i];

		if (s->does != does || !s->is_syscall || !iota_spot_v(s, IOTA_S_TIME) ||
		    iota_spot_mean(s) < LARGE)
			continue;
		bytes += iota_spot_v(s, IOTA_S_BYTES);
		time += iota_spot_v(s, IOTA_S_TIME);
	}
	return bytes ? (double)time * 1000 / (double)bytes : 0;
}

/* ns, what a system call costs that moves little; or as most systems have it */
static double price_of_call(const struct iota *a)
{
	uint64_t calls = 0, time = 0;
	size_t i;

	for (i = 0; i < a->spots.n; i++) {
		const struct iota_spot *s = a->spots.spot[i];

		if (s->is_syscall && iota_regular(s->file) && (s->does == IOTA_DOES_READ || s->does == IOTA_DOES_SEEK) &&
		    iota_spot_v(s, IOTA_S_CALLS) && iota_spot_mean(s) < SMALL) {
			calls += iota_spot_v(s, IOTA_S_CALLS);
			time += iota_spot_v(s, IOTA_S_TIME);
		}
	}
	return calls ? (double)time / (double)calls : NANOS_A_CALL;
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

void iota_saves_bytes(const struct iota *a, struct iota_finding *f, uint64_t bytes)
{
	double stay = price_of_call(a) * (double)f->calls, time = (double)f->time;
	double high = stay < time ? (time - stay) * (double)bytes / (double)f->bytes : 0;

	set(f, (uint64_t)high, f->longest);
}

void iota_saves_of_run(struct iota *a)
{
	size_t i;

	for (i = 0; i < a->n_findings; i++) {
		struct iota_finding *f = &a->findings[i];

		if (f->at_once > 1) {
			f->saves[0] = (uint64_t)((double)f->saves[0] / f->at_once);
			f->saves[1] = (uint64_t)((double)f->saves[1] / f->at_once);
		}
	}
	iota_saves_exposed(a);
}

void iota_saves_merged(struct iota *a, struct iota_finding *f, uint64_t fewer)
{
	double picos = price(a, f->does), high, cheap, dear;

	if (!f->calls || fewer >= f->calls)
		return;
	high = (double)f->time * (1 - (double)fewer / (double)f->calls);
	cheap = (double)f->bytes * (picos > 0 && picos < PICOS_A_BYTE ? picos : PICOS_A_BYTE) / 1000;
	dear = (double)f->bytes * (picos > 0 ? picos : SLOW_PICOS_A_BYTE) / 1000;
	cheap = cheap < high ? cheap : high;
	set(f, (uint64_t)(high - cheap), f->longest + (uint64_t)(dear > cheap ? dear - cheap : 0));
}
