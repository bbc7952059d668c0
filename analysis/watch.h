/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * watch.h - for who keeps every call: what the analysis makes of it, and the rows that it was
 * added to.  Sums over all calls of what is here are the numbers in these rows.
 */
#ifndef IOTA_WATCH_H
#define IOTA_WATCH_H

#include "analysis.h"

struct iota_kind;

/* A call, as it is added to rows. */
struct iota_sample {
	const struct iotr_call *call;
	const struct iota_kind *kind;
	enum iota_does does; /* IOTA_DOES_OTHER unless it succeeded */
	bool is_syscall, failed, timed, waits;
	bool meets;	     /* waits for other ranks, but for system calls inside */
	bool unseen;	     /* is_syscall, but the kernel did it without one */
	enum iota_does asks; /* of a request in a queue of the kernel's: what its completion will have done */
	uint64_t moved;	     /* bytes, */
	uint64_t peeked;     /* and such as stay where they were: MSG_PEEK */
	uint64_t lib_moved;  /* of these, those that no call inside has in its own */
	uint64_t carried;    /* transfers inside of it */
	bool opened;	     /* it opened a file, and no call inside of it did */
	uint64_t time, self; /* 0 unless timed */
	uint64_t own;	     /* time of calls inside that MPI makes for itself */
	enum iota_field spent; /* of IOTA_F_SELF what its own time is; IOTA_F_SELF: nothing of that */
};

/* Before the first call: fn is called for every call that is counted, when its rows have it. */
typedef void iota_watch_fn(void *arg, const struct iota_sample *s);
void iota_watch(struct iota *a, iota_watch_fn *fn, void *arg);

/* The call by itself, in any order: self, spent and what is inside are not set. */
void iota_sample(struct iota *a, struct iota_sample *s, const struct iotr_call *call);

/* Within fn: the rows that have the call. */
struct iota_rows {
	const struct iota_row *call, *process, *thread;
	const struct iota_row *file; /* NULL: it is on no file */
	const struct iota_row *to;   /* what a copy has written; NULL: not known, or no copy */
	const struct iota_row *memory; /* on no file, but on memory of that one; NULL */
};
struct iota_rows iota_rows_of(struct iota *a, const struct iota_sample *s);
/* The same of IOTA_BY_SITE, whether that table is wanted or not. */
const struct iota_row *iota_site_of(struct iota *a, const struct iotr_call *call);
/* Where a Fortran statement stands, if nothing better is known; NULL. */
const struct iotr_path *iota_statement(struct iota *a, const struct iotr_call *call);

/* Whether the call begins, or ends, an operation that has a number in its process. */
bool iota_op_begins(const struct iotr_call *call, uint64_t *number);
bool iota_op_ends(const struct iotr_call *call, uint64_t *number);
/* Whether aio_return() has collected that operation, in the call around. */
bool iota_op_collected(const struct iotr_call *call, uint64_t *number);
/* Whether an operation that ends there is one of POSIX AIO, where aio_return() is to follow, and
   which libc has not refused. */
bool iota_op_is_to_be_collected(const struct iotr_call *call);
/* What the call says of the operation of that number. */
struct iota_op iota_op_of(const struct iotr_call *call, uint64_t number);
/* For trees of operations, or of what begins with one. */
int iota_op_by_number(const void *a, const void *b);
/* The other half of the operation, which is in the tree no more.  NULL: it has not come, and the tree has this one; of
   two that are the same half it has the first.  Halves are malloc's, and begin with a struct iota_op whose .begun tells
   which they are. */
void *iota_op_other(void **tree, void *half);

#endif
