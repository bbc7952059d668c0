/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * each-process.h - what every process stores to that is forked, however little it does.  It lies
 * together, so that this is one page that the kernel copies, and not as many as there are
 * files here.
 */
#ifndef IOT_EACH_PROCESS_H
#define IOT_EACH_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler.h"
#include "queue.h"

/* A frame of a stack that has an id, and its caller: see stack-tree.c. */
struct iot_frame {
	uint64_t pc;
	uint32_t caller;		/* its number, with bits of the hash above it */
	uint32_t id;			/* of the stack from here outwards */
	uint32_t next[4];		/* numbers of frames whose hash begins as this one's */
};
#define IOT_FEW_FRAMES 40u
#define IOT_ROOTS      64u

/* What lies elsewhere is stored to only if it has to be: that is one more page. */
#define iot_set(to, value)                        \
	do {                                      \
		if (iot_unlikely((to) != (value))) \
			(to) = (value);           \
	} while (0)

struct iot_each {
	uint32_t pid;			/* the process in whose memory we are, */
	uint32_t process;		/* its number in the log, */
	uint32_t parent;		/* and that of the one that forked it */
	uint64_t forked;		/* ticks before that, 0: not known */
	uint32_t generation;		/* forks that lie behind us */
	uint32_t masked;		/* threads that keep handlers off */
	uint32_t n_structs;		/* that were taken once (thread-memory.c) */
	struct iot_queue ended;
	bool tasks_share;		/* thread-local storage, or did (shared-tls.c) */
	bool introduced;		/* the log has this process's number */
	bool cwd_busy;			/* a thread is storing what paths.c has of it */
	bool maps_taken;		/* a thread is looking for new mappings (maps.c) */
	uint32_t log_users[2];		/* of the log's descriptors (logfd.c) */
	uint32_t n_frames;		/* that were numbered, */
	uint32_t root[IOT_ROOTS];	/* where looking for one begins, */
	struct iot_frame frame[IOT_FEW_FRAMES];	/* and the first of them */
} __attribute__((aligned(2048)));	/* no page ends in its middle */
extern struct iot_each iot_each __attribute__((visibility("hidden")));

#endif
