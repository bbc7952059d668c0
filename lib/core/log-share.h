/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * log-share.h - what the processes of a log share, the one that created it and the children
 * that it forked: where the log ends, which ids were given away, which windows there
 * are and whose they are, and rules by which stacks are walked.
 *
 * It lies in memory that only they have, not in the file.  But a child may have given
 * up rights that its parent has: nothing that is read here leads to an access to
 * memory before it has been checked.
 */
#ifndef IOT_LOG_SHARE_H
#define IOT_LOG_SHARE_H

#include "iot.h"

#pragma GCC visibility push(hidden)

/* Windows have one of a few sizes: 4 KiB, four times that, and so on up to
   IOTRACE_BUFFER.  Those of a size are numbered. */
#define IOT_CLASSES 7u
/* They lie in chunks of the log that are mapped at once: 1, 1, 2, 4, 8... windows. */
#define IOT_CHUNKS 24u
/* Of the smallest ones forked children have the first chunks' in place: 8 windows. */
#define IOT_INHERITED 4u
/* So many can become another process's, of the smallest and of any other size. */
#define IOT_OWNED_SMALL 8192u
#define IOT_OWNED_LARGE 256u

/* where a number's successor is noted; NULL: that is no number */
typedef uint32_t *iot_next_fn(const void *of, uint32_t n);
void iot_queue_put(struct iot_queue *q, bool seen, iot_next_fn *next, const void *of, uint32_t n);
/* So many are looked at: that takes the same time however many wait. */
#define IOT_TRIES 2
bool iot_queue_take(struct iot_queue *q, iot_next_fn *next, const void *of, uint32_t *n);

struct iot_owner {
	uint32_t pid;			/* 0: nobody; IOT_OWNER_* */
	uint32_t next;			/* in the queue */
};
/* It goes through exit_group, or has become another program, and left nothing behind
   that is not in a record. */
#define IOT_OWNER_LEFT 0x80000000u
/* What is in the window it copies behind the end of the log: it may be there already. */
#define IOT_OWNER_COPIES 0x40000000u

/* So many small windows that processes have left with records are copied together: to write
   them costs the child that does it most of what it costs at all. */
#define IOT_TOGETHER 7u

struct iot_share {
	uint64_t end;			/* of the log */
	uint32_t n_streams, n_paths, n_handles, n_stacks, n_codes;
	uint32_t n_processes, running;
	uint32_t latest_by;		/* pid of who stores the latest anchor */
	uint64_t write_began, slow_until;	/* slow-disk.c: by CLOCK_MONOTONIC, ns; 0: none */
	struct {
		uint32_t n;		/* windows that were begun */
		uint32_t waiting;	/* that were passed over, to be copied together */
		struct iot_queue queue;	/* of those that may be free */
		uint64_t chunk[IOT_CHUNKS];	/* where it lies in the log; 0: it does not;
						   odd: pid << 1 of who provides it */
	} class[IOT_CLASSES];
	struct iot_owner owner[IOT_OWNED_SMALL + (IOT_CLASSES - 1) * IOT_OWNED_LARGE];
#ifndef IOT_DYNAMIC
	iot_rule_sets rules __attribute__((aligned(IOT_PAGE)));
#endif
};
extern struct iot_share *iot_share;	/* NULL: there is no log */

bool iot_share_new(uint64_t first, uint64_t end);
void iot_share_forget(void);
void iot_share_prepare(void);
bool iot_share_fork(void);

/* slow-disk.c */
bool iot_log_is_slow(void);
uint64_t iot_log_writes(void);
void iot_log_written(uint64_t began);

#define IOT_NO_NUMBER (~0U)		/* it is not in a chunk */
uint32_t iot_class_size(uint32_t class);
uint32_t iot_class_for(uint32_t size);
void *iot_window_take(uint32_t class, struct iot_place *place, bool *left);
void *iot_window_also(uint32_t class, struct iot_place *place);
void iot_window_release(const struct iot_place *place, bool queued);
void iot_window_leave(const struct iot_place *place, bool leave);
void iot_window_copies(const struct iot_place *place, bool copies);
void iot_window_spoil(const void *win);
bool iot_window_is_spoiled(const void *win);
void *iot_window_around(uintptr_t at, uint32_t *size);

#pragma GCC visibility pop

#endif
