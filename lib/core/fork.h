/* SPDX-License-Identifier: BSD-3-Clause */
/* fork.h - what the recorder does around a fork: fork.c. */
#ifndef IOT_FORK_H
#define IOT_FORK_H

#include <stdbool.h>
#include <stdint.h>

#include "thread.h"

#pragma GCC visibility push(hidden)

struct iot_fork {
	uint32_t n;
	uint32_t number;		/* of the first one */
	uint64_t ticks;			/* 0: nobody recorded */
	uint32_t unshared;		/* IOT_BLOCK_OWN, or 0: the thread's that forks */
	bool middle;			/* a handler forks that has interrupted the recorder */
	uintptr_t stack_low, stack_top;	/* the first one's */
	struct iot_left {
		struct iot_thread *t;
		struct iot_block *win;
		uint8_t *data;
		uint32_t cap, size;
	} left[IOT_MAX_LEVELS];
};
void iot_fork_prepare(struct iot_fork *f);
void iot_fork_parent(void);
void iot_fork_child(const struct iot_fork *f);
struct iot_thread *iot_child_begin(void);
void iot_child_runs(void);
void iot_child_end(struct iot_thread *t);
void iot_threads_renew(void);
/* A clone with these flags: whether it makes a thread. */
void iot_thread_begins(uint64_t flags);

#pragma GCC visibility pop

#endif
