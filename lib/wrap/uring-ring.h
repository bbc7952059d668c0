/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * uring-ring.h - the io_urings of the process, and what is in them: uring-ring.c.
 *
 * A ring that the kernel has made the memory of is mapped once more, to be read alone: that
 * costs no system call, and stays when the program unmaps its own.  One that lies in the
 * program's memory (IORING_SETUP_NO_MMAP) is read by iot_fetch.
 *
 * Any thread may use a ring, and close it at any time.  Who looks into it holds it, and the
 * last to let go of it unmaps it.  The mapping is gone before the kernel closes the ring's
 * last descriptor, since the kernel would keep the ring as long as it is mapped.
 *
 * A ring may have several descriptors (dup).  Each but one has a struct of its own, by which the
 * ring is found, and which holds it.
 *
 * A thread may register a ring, and call it by an index from then on, also when all descriptors are
 * closed; or the ring never had one.  Such an index has a number, which stands for another descriptor.
 */
#ifndef IOT_URING_RING_H
#define IOT_URING_RING_H

#include "fetch.h"
#include "iotrace-format.h"
#include "line.h"
#include "thread.h"
#include "uring-abi.h"

#pragma GCC visibility push(hidden)

/* A file that is registered, or a direct descriptor. */
struct iot_ring_file {
	uint32_t handle;		/* 0: there is none, or not known */
	uint32_t flags;			/* IOT_FD_* */
};

/* A request that is submitted by a call in progress. */
struct iot_ring_entry {
	uint64_t ready;			/* its number in the ring + 1, once it has been read; 0: it is being read */
	const void *path;		/* as the program gave it */
	uint64_t waits;			/* ns, of a timeout; 0: it is none */
	uint64_t off_out;		/* with IOT_U_COPIES: where it writes; all ones: at the file's position */
	uint32_t op_flags;
	int fd;				/* -1: its file is registered, or it has none */
	struct iot_operation op;	/* which repeats */
};

/* The last requests that are told of failure alone. */
#define IOT_QUIET 32u
struct iot_quiet {
	uint64_t came;
	struct iot_quiet_place {
		uint64_t state;		/* which one, and how it is there */
		struct iot_operation op;
	} place[IOT_QUIET];
};

/* The last requests that give registered files places of the kernel's choice, or of another ring. */
#define IOT_PLACINGS 8u
#define IOT_PLACED   1024u
struct iot_placings {
	uint32_t came;
	struct iot_placing {
		uint32_t number;	/* which one is there; 0: it is being changed */
		uint32_t n;
		int ring;		/* the ring's descriptor; -1: the one that the request came to */
		uint32_t place;		/* IOT_FILE_ALLOC: the kernel chooses */
		const int *chosen;	/* where it says which; NULL: its result is one */
		struct iot_ring_file file[IOT_PLACED];
	} last[IOT_PLACINGS];
};

struct iot_ring {
	uint32_t holders;		/* 0: free */
	int fd;
	uint32_t shown;			/* the last descriptor that it had, or the index that it was made with */
	uint32_t flags;			/* IOT_SETUP_* */
	/* from here to `recorded': another when the ring is resized */
	uint32_t sq_entries, cq_entries;
	/* where things lie from the beginning of either ring */
	uint32_t sq_head, sq_tail, sq_flags, sq_array, cq_head, cq_tail, cq_overflow, cqes;
	/* our mappings; or the program's memory */
	const char *sq, *cq, *sqes;
	uint64_t sq_size, cq_size, sqes_size;
	bool by_fetch;			/* it is the program's */
	struct iot_ring_entry *entries;
	/* requests by their number in the ring: those before `recorded` have their record,
	   those before `claimed` are in entries */
	uint32_t recorded, claimed;
	uint32_t inside;		/* calls in progress */
	uint32_t left;			/* those before were claimed when none was in progress */
	struct iot_ring *before;	/* how it was until it was resized: somebody may be looking there; or NULL */
	bool shared;			/* with another process: what is not ours is no loss */
	struct iot_ring_common *common;	/* with those that this one has forked, or was forked by; or NULL */
	struct iot_quiet *quiet;	/* NULL: there were none yet */
	struct iot_placings *placings;	/* likewise */
	struct iot_line *line;		/* those in flight; NULL: it could not be had */
	/* completions before `seen` have their record */
	uint32_t seen;
	uint32_t overflown;		/* of cq_overflow, what was counted */
	bool full;			/* the kernel held completions back when this call began */
	bool told;			/* what it holds back has its records */
	struct iot_thread *reader;	/* who reads completions; NULL: nobody */
	uint32_t reader_depth;		/* in a call at that depth */
	struct iot_ring_file *files;
	uint32_t n_files, max_files;
	struct iot_ring *same;		/* this is another descriptor of that ring, and no more; or NULL */
	struct iot_ring *next;		/* with descriptors that have the same remainder */
};

/* Begins to follow the ring with that descriptor. */
void iot_ring_new(int fd, const struct iot_uring_params *p);
/* Its queues are others from now on, with the same requests and completions in them: nobody reads
   completions, and no other thread submits.  False: they can't be had. */
bool iot_ring_resize(struct iot_ring *r, const struct iot_uring_params *p);
/* The ring, to be let go of; NULL: there is none, or it is not followed. */
struct iot_ring *iot_ring_hold(int fd);
void iot_ring_let_go(struct iot_ring *r);
#define IOT_RING_INDEXES 16u
/* The number of the thread's index, which is below -1; -1: there is none.  A new one, which no ring
   has yet; or none any more. */
int iot_ring_number(uint32_t index);
int iot_ring_new_number(uint32_t index);
void iot_ring_no_number(uint32_t index);
/* The index by which the thread calls the ring with that descriptor; IOT_RING_INDEXES: none. */
uint32_t iot_ring_index_of(int fd);
/* to is a descriptor of the same ring, if from is one of a ring. */
void iot_ring_dup(int from, int to);
/* The descriptor is about to be closed; whether it is the last one of the ring, which is held. */
void iot_ring_drop(int fd);
bool iot_ring_is_last(const struct iot_ring *r, int fd);
/* uring-shared.c: before a fork, and when the ring is gone */
void iot_ring_share(struct iot_ring *r);
void iot_ring_unshare(struct iot_ring *r);
/* Whether that one is this process's to record: no other has recorded it.  And how many of those
   before `to' are still to be counted, which they are from now on.  For rings with r->common. */
bool iot_ring_takes_request(const struct iot_ring *r, uint32_t at);
bool iot_ring_takes_completion(const struct iot_ring *r, uint32_t at);
uint32_t iot_ring_accounts(const struct iot_ring *r, uint32_t to);
uint32_t iot_ring_overflows(const struct iot_ring *r, uint32_t to);
/* In a child: nobody else holds any, and nothing is registered. */
void iot_rings_forked(void);
/* Each ring, held. */
void iot_rings_each(void (*what)(struct iot_ring *, void *), void *with);

static inline bool iot_ring_read(const struct iot_ring *r, void *to, const char *from, uint32_t n)
{
	if (iot_unlikely(r->by_fetch))
		return iot_fetch(to, from, n);
	__builtin_memcpy(to, from, n);
	return true;
}

/* A word that the kernel or the program may change at any time. */
static inline bool iot_ring_word(const struct iot_ring *r, const char *base, uint32_t offset, uint32_t *to)
{
	if (iot_unlikely(r->by_fetch))
		return iot_ring_read(r, to, base + offset, sizeof(*to));
	*to = __atomic_load_n((const uint32_t *)(const void *)(base + offset), __ATOMIC_ACQUIRE);
	return true;
}

/* Why requests and completions were not seen in time. */
static inline uint32_t iot_ring_loss(const struct iot_ring *r)
{
	return r->flags & IOT_SETUP_SQPOLL ? IOT_LOST_POLLED : IOT_LOST_RING;
}

#pragma GCC visibility pop

#endif
