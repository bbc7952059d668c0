/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * uring.h - what wrappers do about io_urings: before and after the calls that make a ring,
 * submit requests, wait for completions and register files.  uring.c; the rings themselves
 * are uring-ring.c's, what lies in them uring-submit.c's and uring-complete.c's.
 */
#ifndef IOT_URING_H
#define IOT_URING_H

#include "requests.h"
#include "uring-abi.h"

#pragma GCC visibility push(hidden)

struct iot_ring;

/* The descriptor of the ring, or what stands for it: of that which the thread has registered with an
   index, and of liburing's. */
int iot_uring_fd_of(int fd, bool by_index);

static inline int iot_uring_fd(const void *ring)
{
	const struct iot_liburing *lib = ring;

	return lib ? iot_uring_fd_of(lib->ring_fd < 0 ? lib->enter_ring_fd : lib->ring_fd, lib->ring_fd < 0) : -1;
}

/* A ring was made: by liburing, or by the system call. */
void iot_uring_made(const struct iot_call *c, const void *ring, int ret);
void iot_uring_set_up(const struct iot_call *c, const void *params, int fd);
/* It is about to be closed. */
void iot_uring_ends(const struct iot_call *c);
/* Before a call that may submit so many requests; ring: liburing's, which has those that it
   has not told the kernel of yet.  And after a call that has submitted or waited. */
void iot_uring_begins(const struct iot_call *c, uint32_t most, const void *ring, struct iot_kept *by);
void iot_uring_entered(const struct iot_call *c);

/* Before liburing's that submit, that do so if the kernel is old, and that only look. */
static inline void iot_uring_submits(const struct iot_call *c, const void *ring, const char *name)
{
	static struct iot_kept by;

	by.text = name;
	iot_uring_begins(c, ~0u, ring, &by);
}

static inline void iot_uring_waits(const struct iot_call *c, const void *ring, const char *name)
{
	static struct iot_kept by;

	by.text = name;
	iot_uring_begins(c, ((const struct iot_liburing *)ring)->features & IOT_FEAT_EXT_ARG ? 0 : ~0u, ring, &by);
}

static inline void iot_uring_looks(const struct iot_call *c)
{
	iot_uring_begins(c, 0, NULL, NULL);
}

static inline void iot_uring_enters(const struct iot_call *c, uint32_t most)
{
	static struct iot_kept by = IOT_KEPT(io_uring_enter);

	iot_uring_begins(c, most, NULL, &by);
}

/* Whether there are completions that have no record yet. */
bool iot_uring_has_news(int fd);
/* After a call that came to this io_uring_register; its result if it succeeded. */
void iot_uring_registered(const struct iot_call *c, uint32_t opcode, const void *arg, uint32_t n, int ret);
/* The same of liburing's that give other files these places, and the ring an index. */
void iot_uring_updated(const struct iot_call *c, uint32_t from, const void *fds, uint32_t n, int ret);
void iot_uring_indexed(const void *ring, int ret);
/* Before liburing gives that index up, and before it closes the descriptor and goes on by the index. */
void iot_uring_unindexes(const struct iot_call *c, const void *ring);
void iot_uring_unnamed(const struct iot_call *c, const void *ring);
/* The thread calls the ring with that descriptor by the index from now on; -1: none. */
void iot_uring_index(struct iot_thread *t, uint32_t index, int fd);
/* For pthread_create.c, if the program may make rings: the kernel forgets what the thread has registered. */
void iot_uring_thread_ends(void) __attribute__((weak));

/* Of calls by number: their ring's descriptor, and the same as above. */
bool iot_uring_is_known(int fd);
int iot_uring_raw_fd(long number, const unsigned long *a);
void iot_uring_raw_begun(const struct iot_call *c, long number, const unsigned long *a);
void iot_uring_raw_after(const struct iot_call *c, long number, const unsigned long *a, long ret);

/* uring-quiet.c: a request that is told of failure alone has no number, and is found if it fails soon.
   And the oldest of that name, which is no longer kept then. */
void iot_uring_quiet(struct iot_ring *r, const struct iot_operation *op);
bool iot_uring_take_quiet(struct iot_ring *r, uintptr_t name, struct iot_operation *op);

/* uring-submit.c, uring-complete.c, uring-files.c: within the call c, which t makes.  lib: see
   iot_uring_submits */
void iot_uring_claim(const struct iot_call *c, struct iot_ring *r, uint32_t most, const struct iot_liburing *lib,
		     struct iot_kept *by);
void iot_uring_record(const struct iot_call *c, struct iot_ring *r);
/* No call is in progress: what is claimed now, and not taken, is left over. */
void iot_uring_leaves(struct iot_ring *r);
/* Whether the kernel has taken some that another thread, or a call that a handler interrupted, is
   still to read. */
bool iot_uring_is_behind(const struct iot_ring *r);
void iot_uring_collect(const struct iot_call *c, struct iot_ring *r);
/* The queues are others from now on. */
void iot_uring_resized(const struct iot_call *c, struct iot_ring *r, const struct iot_uring_params *p);
/* cqe->flags: IOT_CQE_FLAGS, and what records have beside these; at: its number in the queue, NULL: it
   never came into it; now: a moment after it was there.  False: its request is still to be read. */
struct iot_cqe;
bool iot_uring_complete(const struct iot_call *c, struct iot_ring *r, const struct iot_cqe *cqe, const uint32_t *at,
			uint64_t now);
/* uring-held.c: whether the queue is full; and what does not come into it any more */
bool iot_uring_is_full(const struct iot_ring *r);
void iot_uring_held(const struct iot_call *c, struct iot_ring *r);
/* What io_uring_register(2) does to them by this opcode, if anything. */
void iot_uring_registers_files(const struct iot_call *c, struct iot_ring *r, uint32_t opcode, const void *arg, uint32_t n);
void iot_uring_files(struct iot_thread *t, struct iot_ring *r, uint32_t from, const void *fds, uint32_t n);
/* Of requests that give files places which are known when they have ended (IOT_U_PLACES): what is known
   before; and that they have ended so. */
void iot_uring_places(struct iot_thread *t, struct iot_ring *r, const struct iot_sqe *s, struct iot_operation *op);
void iot_uring_placed(struct iot_ring *r, const struct iot_operation *op, int32_t res);
void iot_uring_file(struct iot_ring *r, uint32_t index, uint32_t handle, uint32_t flags);

/* uring-watch.c: from the first ring on, which by has made; until the process ends, or another
   program takes its place (iot_uring_unwatch); in a child: not yet */
void iot_uring_watch(const struct iot_thread *by);
void iot_uring_unwatched(void);

/* uring-record.c */
struct iot_ring_entry;
void iot_uring_record_request(const struct iot_call *in, const struct iot_ring *r, const struct iot_ring_entry *e);
/* bytes: the result is how many were moved; now: when it was seen */
void iot_uring_record_completion(const struct iot_call *in, const struct iot_ring *r, const struct iot_operation *op,
				 const struct iot_cqe *cqe, bool bytes, uint64_t now);

/* What operation.flags has, beside the flags of its entry: which it is, and a file */
#define IOT_U_OPCODE(flags)	((uint32_t)(flags) >> 16 & 0xff)
#define IOT_U_DIRECT		(1ULL << 8)	/* the result is a direct descriptor, if there is one */
#define IOT_U_POLLED		(1ULL << 10)	/* a thread of the kernel's takes it, nobody knows when */
#define IOT_U_COPIES		(1ULL << 24)	/* IOT_U_OTHER is the handle of the file that is written */
#define IOT_U_HEADED		(1ULL << 25)	/* IOT_U_OTHER is how many bytes of each result were not moved */
#define IOT_U_PLACES		(1ULL << 26)	/* IOT_U_OTHER is the number of a struct iot_placing */
#define IOT_U_OTHER(flags)	((uint32_t)((flags) >> 32)) /* else: the descriptor, or the direct one + 1 */
#define IOT_U_SHOWN		0x7ffULL	/* these the record has */

enum {
#define IOT_URING_OP(number, name, ...) IOT_OP_##name = number,
#include "../../table/uring-ops.def"
};

/* What an operation is about; operation.flags has some of these at the same places. */
enum {
	IOT_U_FILE = 1, IOT_U_OFFSET = 2, IOT_U_LEN = 4, IOT_U_IOV = 8, IOT_U_MSG = 16, IOT_U_ADDR = 32,
	IOT_U_PATH = 64, IOT_U_TIME = 128, IOT_U_TO = 1 << 8, IOT_U_FIXED = 1 << 9, IOT_U_PAIR = 1 << 10,
	IOT_U_BYTES = 1 << 11, IOT_U_FD = 1 << 12,
	IOT_U_CLOSE = 1 << 13, IOT_U_FILES = 1 << 14, IOT_U_SYNC = 1 << 15, IOT_U_PUTS = 1 << 16,
	IOT_U_COPY = 1 << 17, IOT_U_AT_OFF = 1 << 18, IOT_U_AT_3 = 1 << 19,
	IOT_U_LOOKS = 1 << 20, IOT_U_TELLS = 1 << 21,
	IOT_U_SIZED = IOT_U_LEN | IOT_U_IOV | IOT_U_MSG | IOT_U_ADDR | IOT_U_TO,
	IOT_U_KEPT = IOT_U_FIXED | IOT_U_BYTES | IOT_U_FD | IOT_U_CLOSE,
};
#pragma GCC visibility pop

#endif
