/* SPDX-License-Identifier: BSD-3-Clause */
/* stack.h - who called: what a thread has for it; stack.c. */
#ifndef IOT_STACK_H
#define IOT_STACK_H

#include <stdbool.h>
#include <stdint.h>

#define IOT_MAX_FRAMES 64u
struct iot_thread;

/* A walk over the stack: the words that were read, counted from the wrapper's frame, and
   what was there.  n may be more than there is room for: then frame is 0. */
#define IOT_MEMO_WORDS 34u		/* 16 frames with frame pointers have 32 */
#define IOT_MEMOS      4u
#define IOT_MEMO_REACH (65536u * 8)	/* so far from the wrapper's frame lie the words */
struct iot_memo {
	uintptr_t frame;		/* the wrapper's; 0: there is none */
	uint32_t n, id;			/* the stack's */
	uint32_t rules;			/* iot_rules_are() */
	uint32_t turn;			/* how often it was begun */
	uint64_t python;		/* what is to be the same of frames of Python; 0: there are none */
	uint16_t at[IOT_MEMO_WORDS];
	uintptr_t word[IOT_MEMO_WORDS];
} __attribute__((aligned(64)));

/* What would else lie on the program's stack, which may be small.  It lies before the
   thread's struct, where nothing else is (IOT_THREAD_COLOUR), and is of whoever made that
   busy. */
struct iot_walking {
	uintptr_t pc[IOT_MAX_FRAMES + 1];
	uintptr_t sp[IOT_MAX_FRAMES + 1];	/* where the frame of each pc begins; behind the last one 0, if
						   its end is not known: for Python */
	bool interrupted;		/* by a signal, somewhere */
	bool looked;			/* frames of Python have been collected just now */
	union {
		uint64_t tables[40];	/* unwind-cfi.c's */
		uint32_t hash[IOT_MAX_FRAMES];	/* of a frame and its callers */
	};
	uintptr_t last[IOT_MAX_FRAMES];	/* the stack last found, */
	uint32_t n_last, last_id;	/* and its id */
};
static inline struct iot_walking *iot_walking(struct iot_thread *t)
{
	return (struct iot_walking *)t - 1;
}

/* How a frame's caller is found, by its return address (unwind.h). */
#define IOT_SET_BITS 10
#define IOT_WAYS     4
typedef uint64_t iot_rule_sets[1 << IOT_SET_BITS][IOT_WAYS];

#pragma GCC visibility push(hidden)

/* stack.c */
/* bytes of this thread's stack, if it is not the first thread and this is known */
extern __thread uintptr_t iot_stack_size __attribute__((tls_model("initial-exec")));
void iot_stack_bounds(struct iot_thread *t);
uint32_t iot_stack(struct iot_thread *t, void *frame);
void iot_memos_forget(struct iot_thread *t);
/* The id of the n frames in iot_walking(t)->pc; t is busy. */
uint32_t iot_stack_intern(struct iot_thread *t, uint32_t n);

#pragma GCC visibility pop

#endif
