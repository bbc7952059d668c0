/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * when.h - what happened when: sums by intervals of time, and bursts of I/O.
 *
 * The job's time is cut into rows of one length, and these into slices.  Memory is by slices,
 * of which there are a few thousand, and never by calls.  The time of a call is shared out
 * among the slices that it spans, and its bytes in proportion.
 */
#ifndef IOTA_WHEN_H
#define IOTA_WHEN_H

#include "analysis.h"

/* Before the first call: the time that there is, ns since the epoch, and how long an interval
   is to be; 0: as long as suits.  Parts of a job that are added up have the same.  Returns
   how long it is: of too many, several are one. */
uint64_t iota_when_begin(struct iota *a, uint64_t begin, uint64_t end, uint64_t interval);

struct iota_when_row {
	uint64_t start;		/* ns since the epoch */
	uint64_t calls;		/* that began in it */
	uint64_t read, written; /* bytes, by system calls */
	uint64_t fetched, dirtied; /* bytes that devices were asked for, that became dirty, by whatever */
	uint64_t io, waiting;	/* ns, of all threads */
	uint64_t lived;		/* ns: how long threads were there, added up */
	uint64_t busy;		/* ns in which at least one thread was in I/O, */
	uint64_t exposed;	/* and of these, those in which none computed */
	uint64_t deepest;	/* hundredths: threads in I/O at once, on average of a slice */
	uint64_t threads, ranks; /* that were in I/O */
};

/* Bytes that move in bursts, one way. */
struct iota_bursts {
	uint64_t n, bytes, length; /* of all of them; ns */
	uint64_t first, last;	   /* ns since the epoch: when the first began, the last ended */
	uint64_t period;	   /* ns from one beginning to the next, on average */
	double spread;		   /* standard deviation of that, as a part of it */
};

struct iota_when {
	uint64_t interval, slice; /* ns; 0: there are no sums by time */
	size_t n;
	const struct iota_when_row *row;
	struct iota_when_row total; /* start, threads and ranks are 0 */
	struct iota_bursts bursts[2]; /* of reads, of writes; n 0: there were none */
};
/* After iota_done. */
const struct iota_when *iota_when(struct iota *a);
/* Do the bursts come again and again, with pauses between them that are worth a word? */
bool iota_bursts_stand_out(const struct iota_bursts *b);

#endif
