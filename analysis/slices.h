/* SPDX-License-Identifier: BSD-3-Clause */
/* slices.h - what when.c adds up in slices of time, and bursts.c looks at. */
#ifndef IOTA_SLICES_H
#define IOTA_SLICES_H

#include "when.h"
#include "internal.h"

/* Sums of all threads, which can be added in any order. */
struct iota_slice {
	uint64_t calls, bytes[2]; /* read, written */
	uint64_t device[2];	  /* bytes that devices were asked for, that became dirty */
	uint64_t io, waiting, lived;
	/* -log2 of the chance that no thread was in I/O, that none computed, and that none did
	   one of both: fixed-point numbers */
	uint64_t no_io, no_work, neither;
};

/* Time that belongs to calls inside of one that has not come yet, by slices. */
struct iota_inner {
	uint64_t *time;	  /* NULL: none yet */
	size_t low, high; /* slices that have some; high is behind the last one */
};

struct iota_slices {
	uint64_t begin, width; /* ns; width 0: none are wanted */
	size_t n, per_row;
	struct iota_slice *slice;
	uint64_t *threads; /* by row: that were in I/O */
	/* the slice that the last call was in */
	uint64_t last_begin;
	size_t last;
	/* the thread that is read */
	uint64_t *io, *waiting;
	uint64_t *device[2]; /* by calls that said so; NULL: there were none */
	size_t low, high;
	/* its stream */
	struct iotr_log *log;
	uint32_t stream;
	struct iota_inner inner[IOTA_DEPTHS + 1];
	unsigned depths; /* of these, those that may have some */
	/* what comes of it */
	struct iota_when_row *rows;
	struct iota_when when;
};

/* How often the slice's time, of that length, was without what has that logarithm. */
double iota_slice_share(uint64_t logarithm);

#endif
