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
/* What Fortran's runtime takes for a byte of text that it makes of a number, or a number of it, at
   most, and what recording adds to the time of a statement. */
#define NANOS_A_BYTE_OF_TEXT 15
#define NANOS_RECORDED 150
#define MOST_NANOS_RECORDED 300

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

/* While the thread computes, between reads of the file that a library makes; of several lines of
   which each has a part, the one that has most. */
static uint64_t between_reads(const struct iota *a, const struct iota_row *file)
{
	const struct iota_spot *s;
	uint64_t most = 0;

	for (s = file->spots; s; s = s->next_of_file) {
		uint64_t computes = iota_computes(a, iota_spot_v(s, IOTA_S_THREADS)), between = iota_spot_v(s, IOTA_S_BETWEEN);

		if (!s->from->chain || !(s->from->chain->way & IOTA_BY_LIBRARY))
			continue;
		between = computes && computes < between ? computes : between;
		most = between > most ? between : most;
	}
	return most;
}

void iota_saves_by_library(const struct iota *a, struct iota_finding *f, const struct iota_group *g, double less)
{
	f->by_library = (uint64_t)((double)between_reads(a, g->file) * less);
	f->saves[1] += f->by_library;
}

void iota_saves_text(struct iota_finding *f, uint64_t bytes)
{
	uint64_t stays = bytes * NANOS_A_BYTE_OF_TEXT;

	f->saves[0] = f->saves[0] > stays ? f->saves[0] - stays : 0;
}

/* Statements are short, and what the recorder does within them is no small part of their time: they are
   not so long in a run without it. */
static void without_recording(struct iota_finding *f)
{
	uint64_t least = f->statements * NANOS_RECORDED, most = f->statements * MOST_NANOS_RECORDED;

	f->saves[1] -= least < f->saves[1] ? least : f->saves[1] / 10 * 9;
	f->saves[0] -= most < f->saves[0] ? most : f->saves[0];
}

void iota_saves_of_run(struct iota *a)
{
	size_t i;

	for (i = 0; i < a->n_findings; i++) {
		struct iota_finding *f = &a->findings[i];

		without_recording(f);
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
