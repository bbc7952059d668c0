/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread.h - a thread's recorder: struct iot_thread, and what is done to it in a moment;
 * thread.c.
 *
 * Who may touch what:
 *  - struct iot_thread belongs to one thread.  A signal handler on that thread
 *    that finds state == IOT_BUSY has interrupted the recorder and works on
 *    ->nested instead; otherwise it uses the same thread in full, between two
 *    records, and leaves everything as it found it but for what it appended.
 *  - Tables of descriptors, paths, handles and stacks are shared by all threads
 *    and their handlers without locks: entries are published with one atomic
 *    store or compare-and-swap.
 *  - struct iot_threads live in memory that a forked child finds zeroed (state ==
 *    IOT_NEW), so that it can never write into its parent's windows.
 *  - The window and the log's header lie in a file, which somebody else may be able to
 *    write.  Nothing that stands there decides what memory is touched: what the recorder
 *    needs to know of them it keeps in struct iot_thread.
 */
#ifndef IOT_THREAD_H
#define IOT_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch-cpu.h"
#include "call.h"
#include "compiler.h"
#include "fds.h"
#include "iotrace-format.h"
#include "stack.h"

#pragma GCC visibility push(hidden)

enum iot_state {
	IOT_NEW,		/* zeroed memory: not of this process */
	IOT_IDLE,
	IOT_BUSY,		/* between reserving and committing a record */
	IOT_DEAD,		/* no window could be had: calls are counted as lost */
	IOT_MUTE,		/* the recorder itself makes calls that are no business of the log */
	IOT_MANY,		/* stands for those of several tasks: shared-tls.c */
	IOT_SEALED,		/* its window has its checksum: window-seal.c */
};

#define IOT_OWN_SUMS 8u

/* A window: where it is (log-share.h). */
struct iot_place {
	uint32_t class, number;
};

struct iot_thread {
	/* what every call looks at: */
	uint32_t state __attribute__((aligned(64)));	/* enum iot_state */
	uint32_t depth;			/* calls in progress */
	struct iot_block *win;
	uint8_t *data;			/* where the window's records begin */
	uint32_t used;			/* win->used: bytes of finished records */
	uint32_t cap;			/* how many fit this block */
	uint64_t base;			/* dt counts from here */
	uint64_t limit;			/* ticks behind base at which to take a new anchor */
	uint64_t thin;			/* IOT_THIN and IOT_MOVES of the calls in progress */
	uint32_t flags;			/* IOT_BLOCK_* for its blocks */
	uint32_t stack_depth;		/* frames to walk, 0 = off */
	struct iot_recent recent[IOT_RECENT];	/* of this block */
	uintptr_t stack_low, stack_top;	/* frames lie between; 0 = not known */
	/* the rest: */
	uintptr_t busy_frame;		/* of the function that made it busy; 0: not lower than the last slot's */
	uint64_t late_start;		/* before which the calls of late did not begin */
	uint32_t late;			/* places of calls, a bit each */
	uint32_t aio_depth;		/* depth within the aio call that was last begun */
	uint32_t inner;			/* IOT_D_INNER of the calls in progress, a bit each */
	uint32_t tid;
	uint32_t stream_turn;		/* calls so far that streams are looked at for */
	uint32_t stream;
	uint32_t level;
	uint32_t in_use;		/* this struct is taken, IOT_LEFT_BEHIND */
	uint32_t gone;			/* 1 + used when its memory ceased to be the file's (sigbus.c) */
	uint32_t outer;			/* calls in progress that are not in this window's slots */
	/* of the window; what stands there is for readers, and nothing of it is believed */
	uint32_t size;
	uint32_t seq, n_defs, n_late, lost, pid;	/* as struct iot_block has them */
	uint64_t block_base;
	struct iot_anchor anchor;
	struct iot_place place;
	bool too_large;			/* a record is being made that no window can hold */
	bool gap;			/* the block before this one could not be written */
	bool left;			/* exit's or exec's record is its last, so far */
	uint32_t floor;			/* places that are not used any more: places.c */
	uint32_t vacant;		/* places whose calls are through, below one that is not; a bit each */
	bool dispatched;		/* its system calls are seen */
	bool returns;			/* a call that looked as if it had been left has returned */
	struct {
		uint32_t depth, call;	/* as slots have it; depth 0: not known */
	} deepest;			/* the innermost call, if there is no slot for it */
	uint32_t models;		/* those that this block has, a bit each */
	uint32_t own;			/* 1 + the depth of a call within which all is MPI's own; 0: none */
	uint64_t own_start;		/* which one: its slot's start */
	struct iot_own_sum {
		uint32_t id, stream, seq, at;	/* a call's IOT_DEF_SUM, which is there in this block */
	} sums[IOT_OWN_SUMS];
	struct iot_thread *nested;	/* for handlers that interrupt the recorder */
	uint32_t number;		/* of this struct */
	uint32_t next;			/* in the queue of those whose threads may have ended */
	struct iot_memo memo[IOT_MEMOS];	/* by return address */
	/* few come to what follows, in a page of its own (IOT_THREAD_COLOUR) */
	struct iot_call vfork;		/* while the child runs */
	struct iot_python_thread *python;	/* python.c's */
	struct iot_fd spare_fd;		/* stands for a descriptor that is not in the table */
	struct iot_ofd spare_ofd;	/* and for its description */
	char scratch[3][4096];		/* of whoever made it busy: names under way */
	struct iot_model {
		uint64_t what, from;	/* in all that are like it the same: id, present and argc; error and stack */
		uint64_t size, offset, ret, arg[IOT_MODEL_ARGS];
	} model[IOT_MODELS];
};

#define IOT_MAX_LEVELS 9u		/* handlers within handlers that interrupt the recorder */
#define IOT_LEFT_BEHIND 9u		/* a handler's fork was within the recorder */

/* Where in its page the struct begins: not at its start, as so much else does that
   the kernel touches in a system call and that would take its place in the cache. */
#define IOT_THREAD_COLOUR 0x780UL
#define IOT_THREAD_SIZE ((IOT_THREAD_COLOUR + sizeof(struct iot_thread) + IOT_PAGE - 1) & -IOT_PAGE)

static inline struct iot_slot *iot_slots(const struct iot_thread *t)
{
	return (struct iot_slot *)(t->win + 1);
}

/* What is noted of the call at that depth: id and IOT_SLOT_*.  NULL: it has not begun
   yet, or is beyond the slots and not the innermost. */
static inline uint32_t *iot_noted(struct iot_thread *t, uint32_t depth)
{
	if (depth < IOT_MAX_SLOTS)
		return iot_slots(t)[depth].start ? &iot_slots(t)[depth].call : NULL;
	return t->deepest.depth == depth ? &t->deepest.call : NULL;
}

/* The system call that it is was seen. */
static inline void iot_note_made(struct iot_thread *t, uint32_t depth)
{
	uint32_t *call = iot_noted(t, depth);

	if (call)
		*call |= IOT_SLOT_MADE;
}

/* Counts records up to there as finished. */
static inline void iot_set_used(struct iot_thread *t, uint32_t used)
{
	iot_barrier();
	t->used = used;
	*(volatile uint32_t *)&t->win->used = used;
}

/* The call at depth d awaits its backend; or moves a file offset. */
#define IOT_THIN(d)	(1ULL << ((d) & 31))
#define IOT_MOVES(d)	(1ULL << 32 << ((d) & 31))

/* A handler that comes from here on keeps off t, and one that jumps out of this
   function's frame puts an end to it. */
static inline __attribute__((always_inline)) void iot_busy(struct iot_thread *t)
{
	t->busy_frame = (uintptr_t)__builtin_frame_address(0);
	iot_barrier();
	t->state = IOT_BUSY;
	iot_barrier();
}

static inline void iot_idle(struct iot_thread *t)
{
	iot_barrier();
	t->state = IOT_IDLE;
	iot_barrier();
	t->busy_frame = 0;
}

/* Whether a call in progress moves an offset.  None has others inside, so that
   this is a handler's, and whether that one came to it yet nobody knows. */
static inline bool iot_offset_moving(const struct iot_thread *t)
{
	return t->thin >> 32 & ((1ULL << (t->depth < 32 ? t->depth : 32)) - 1);
}

/* Threads of whose descriptors and working directory nothing is kept. */
#define IOT_APART (IOT_BLOCK_VFORK | IOT_BLOCK_OWN)
/* A task's that clone makes with these flags: it shares descriptors (CLONE_FILES) and
   working directory (CLONE_FS) with its parent, or has copies. */
static inline uint32_t iot_task_flags(uint64_t flags)
{
	return !(flags & 0x400) ? IOT_BLOCK_VFORK : !(flags & 0x200) ? IOT_BLOCK_OWN : 0;
}

/* thread.c */
struct iot_thread *iot_thread_new(uint32_t level, uint32_t flags);
void iot_thread_begin(struct iot_thread *t, uint32_t level, uint32_t flags, int pid, int tid, bool fresh);
void iot_thread_take(struct iot_thread *t);
void iot_thread_drop(struct iot_thread *t);
bool iot_thread_over(const struct iot_thread *t);
extern __thread uint32_t iot_fork_depth __attribute__((tls_model("initial-exec")));	/* calls in
						   progress in a thread that forks */

#pragma GCC visibility pop

#endif
