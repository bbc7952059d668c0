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

#include <stdbool.h>
#include <stdint.h>

#include "arch-cpu.h"
#include "iotrace-format.h"
#include "queue.h"
#include "stack.h"

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
	uint32_t renamed;		/* how often: maybe a directory above where others work */
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
extern struct iot_file_header *iot_header;
extern struct iot_share *iot_share;	/* NULL: there is no log */

bool iot_share_new(uint64_t first, uint64_t end);
void iot_share_forget(void);
bool iot_share_fork(void);

#pragma GCC visibility pop

#endif
