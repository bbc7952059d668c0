/* SPDX-License-Identifier: BSD-3-Clause */
/* sharing.h - who shares which bytes of a file with whom, and what orders the accesses: constellation.c. */
#ifndef IOTA_SHARING_H
#define IOTA_SHARING_H

#include "analysis.h"

/* What puts two accesses of different threads in their order: the model is explained in
   iotrace-stat(1), and in order.c. */
enum iota_order {
	IOTA_ORDER_NOTHING,
	IOTA_ORDER_FORK,
	IOTA_ORDER_WAIT,
	IOTA_ORDER_EXEC,
	IOTA_ORDER_THREAD,
	IOTA_ORDER_LOCK,
	IOTA_ORDER_MPI,
	IOTA_ORDER_CLOSE_OPEN,
	IOTA_ORDER_SYNC,
	IOTA_ORDER_THREAD_END,
	IOTA_N_ORDERS
};
const char *iota_order_name(enum iota_order order); /* in JSON and csv: "nothing", "fork", ... */

/* The weakest promise of a file system that the program could live with. */
enum iota_consistency {
	IOTA_CONSISTENCY_NONE,	  /* no process needs what another wrote */
	IOTA_CONSISTENCY_SESSION, /* what was written before close() is seen after open() */
	IOTA_CONSISTENCY_COMMIT,  /* what was written before fsync() or close() is seen */
	IOTA_CONSISTENCY_POSIX,	  /* what was written is seen at once */
};
const char *iota_consistency_name(enum iota_consistency c); /* "none", "session", ... */

enum iota_conflict_kind { IOTA_WRITE_READ, IOTA_WRITE_WRITE, IOTA_READ_WRITE };
const char *iota_conflict_name(enum iota_conflict_kind kind); /* "write-read", ... */

/* Accesses to the same bytes that nothing puts in an order. */
struct iota_conflict {
	enum iota_conflict_kind kind;
	bool at_once;		/* in this run they overlapped in time, too */
	uint64_t bytes, offset; /* all, and where the first one is */
	struct iota_accessor {
		uint32_t pid, tid;
		int rank; /* -1: none */
		const char *call;
		const struct iota_chain *chain; /* see iota_chain_line */
	} by[2];				/* in the order in which they began */
};
/* The line from which it was made; false: not known. */
bool iota_chain_line(const struct iota_chain *chain, struct iota_line *line);

struct iota_constellation {
	const char *name;     /* of the file: the first one in the alphabet */
	size_t names;	      /* that were used for it */
	const char *is;	      /* in words: "one writes once", "several read", ... */
	size_t processes, threads, readers, writers; /* that read or wrote; threads */
	uint64_t reads, writes, read, written;	     /* calls and bytes */
	uint64_t again[2];	/* bytes that the same thread read, or wrote, before */
	uint64_t depends;	/* bytes that were read and another thread had written */
	uint64_t overwritten;	/* bytes that were written and another thread had written */
	uint64_t replaced;	/* bytes that were written and another thread had read before */
	uint64_t appends, handed_over; /* runs of writes that begin at the end of what was
					  written; of these, those where another thread wrote that */
	uint64_t by[IOTA_N_ORDERS]; /* bytes of depends, overwritten and replaced, by what orders */
	enum iota_consistency needs;
	bool at_least; /* it may be more: not all accesses are known */
	bool at_once;  /* threads that share bytes used the file at the same time */
	uint64_t syncs, locks, collectives, opens, closes;
	uint64_t looked, changed;		   /* calls on its metadata */
	uint64_t unknown, mapped, left_out, joined; /* what limits all this: accesses without a
				place, mappings, accesses beyond the bound, runs that became one */
	struct iota_conflict *conflict;
	size_t n_conflicts;
	uint64_t more_conflicts; /* bytes of others that are not listed */
};

/* After iota_done: those of files that something is wrong with first, then by bytes. */
const struct iota_constellation *iota_constellations(const struct iota *a, size_t *n);
/* Why the order of accesses could not be told; NULL: it could. */
const char *iota_constellations_bound(const struct iota *a);

#endif
