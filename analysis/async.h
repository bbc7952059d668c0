/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * async.h - the asynchronous requests on one file, in the order in which they were issued:
 * which line issued each, what came of it and after how long, and how many were in flight.
 */
#ifndef IOTA_ASYNC_H
#define IOTA_ASYNC_H

#include "analysis.h"

#define IOTA_MOST_REQUESTS 10000 /* that are listed */

struct iota_request {
	const struct iotr_log *log;
	uint32_t process, pid;
	uint64_t number;
	uint64_t start;			    /* ns since the epoch */
	uint64_t size, offset;
	const char *operation, *site, *told; /* told: the call that told the program first */
	int64_t ret;
	int err;
	uint64_t wait, unsure; /* ns from its issue to its end, 0: not known; and by how much less it may be */
	uint64_t kept;	       /* ns from its end until it was collected */
	uint64_t depth;	       /* in flight when it was issued, with itself */
	uint64_t moved;	       /* bytes, of all its ends */
	bool has_offset, issued, completed, failed, collected, refused, to_collect, unlisted;
	bool unseen;	       /* its end shows in the control block alone, which may be gone */
};

struct iota_requests {
	struct iota_request **list; /* the first ones */
	size_t n_listed;
	uint64_t n, completed, failed, uncollected; /* uncollected: of those that aio_return() should collect */
	uint64_t unseen;			    /* of those that are not completed */
	uint64_t shortest, longest, waited, timed;  /* ns, of those whose time is known, which are so many */
	uint64_t in_flight, depth;		    /* now, and at most */
	uint64_t bytes;				    /* that those moved which are completed */
	void *tree;				    /* by number, of those that are not over, or not issued yet */
};

/* A request, completion or collection of the file; any other call is none of these.  Calls come
   by start: the end of a request may come before it, since another thread may learn of the end
   before the call that issued the request is back. */
void iota_requests_add(struct iota_requests *r, struct iota *a, const struct iotr_call *call, uint64_t moved);
void iota_requests_free(struct iota_requests *r);

#endif
