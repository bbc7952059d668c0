/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * seeks.h - where in each file processes read and wrote, in the order of time; and files in the
 * order in which they were first read.
 *
 * A range is what a thread read, or wrote, of a file in one go: each access began where the one
 * before ended.  An access that begins elsewhere than where the thread's last one on the file
 * ended, in whatever direction, is a seek.  Memory is by ranges, of which a thread keeps
 * IOTA_RANGES_MOST of a file; further ones are counted.
 */
#ifndef IOTA_SEEKS_H
#define IOTA_SEEKS_H

#include "analysis.h"

#define IOTA_RANGES_MOST 4096
#define IOTA_BLOCK 4096 /* bytes, where ranges are given in blocks */

/* iota_new's tables have this, if what follows is wanted. */
#define IOTA_SEEKS (IOTA_FINDINGS << 3)

struct iota_range {
	uint64_t start, end;
	uint64_t first; /* ns since the epoch: when its first access began */
	bool writes;
};

/* What a process did to a file. */
struct iota_seeks {
	const char *name, *host;
	uint32_t pid;
	int rank; /* -1: none */
	uint64_t threads, reads, writes, read, written;
	uint64_t seeks, back;	/* and of these, those to a lower offset */
	uint64_t distance;	/* bytes, of all seeks */
	uint64_t unknown;	/* accesses of which the log does not say where */
	uint64_t ranges;	/* all */
	struct iota_range *range; /* those that are kept, by time */
	size_t n;
	const char *key; /* of the process: tells those of one number apart */
};
/* After iota_done: those with most seeks first. */
const struct iota_seeks *iota_seeks(const struct iota *a, size_t *n);

/* A file that was read, or mapped. */
struct iota_first_read {
	const char *name;
	uint64_t first; /* ns since the epoch */
	uint64_t reads, read, mapped; /* calls, bytes, calls */
};
/* After iota_done, by time. */
const struct iota_first_read *iota_first_reads(const struct iota *a, size_t *n);

#endif
