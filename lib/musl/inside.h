/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inside.h - system calls that musl makes in the middle of its functions, where
 * no wrapper can stand.  What most of them return passes through a function,
 * __syscall_ret, that one can stand in front of: a function's wrapper leaves word
 * for that one's what is to be recorded.
 */
#ifndef IOT_INSIDE_H
#define IOT_INSIDE_H

#include <string.h>

#include "wrap.h"

#pragma GCC visibility push(hidden)

/* What a stream is opened with.  (musl has a function for that, which calls strchr, and
   that may be the program's.) */
static inline uint64_t iot_mode_flags(const char *mode)
{
	int flags = *mode == 'r' ? 0 : O_CREAT;

	if (*mode == 'w')
		flags |= O_TRUNC;
	if (*mode == 'a')
		flags |= O_APPEND;
	if (strchr(mode, 'x'))
		flags |= O_EXCL;
	if (strchr(mode, 'e'))
		flags |= O_CLOEXEC;
	if (strchr(mode, '+'))
		flags |= O_RDWR;
	else
		flags |= *mode == 'r' ? O_RDONLY : O_WRONLY;
	return (uint64_t)flags;
}

/*
 * A function of musl's in progress, on its wrapper's frame.  A handler that comes
 * in between has its own, or none: what it calls is called neither from that
 * function nor from that frame.
 */
struct iot_inside {
	struct iot_inside *outer;
	uintptr_t code;			/* where the function begins */
	uintptr_t frame;		/* its wrapper's */
	void (*returned)(struct iot_inside *in, long ret);	/* what the kernel returned */
	/* NULL, or what to do when it calls the next function that has a wrapper */
	void (*next)(struct iot_inside *in);
	uint64_t since;			/* when it began, or such a function returned */
};

extern __thread struct iot_inside *iot_inside __attribute__((tls_model("initial-exec")));

/* for returned: nothing is to be made of it */
void iot_inside_only(struct iot_inside *in, long ret);

/* Such a function's wrapper, before and after. */
void iot_inside_next(void);
void iot_inside_part(void);

/* Records a call that has been made since then; ret is the kernel's. */
void iot_inline(const struct iot_desc *desc, int fd, uint64_t since, long ret, const uint64_t *arg);

void iot_inside_left(uintptr_t sp);

/* It has closed what it had opened. */
void iot_inside_closed(const struct iot_inside *in, int fd);

#pragma GCC visibility pop

static inline void iot_go_inside(struct iot_inside *in, const void *code, const void *frame,
				 void (*returned)(struct iot_inside *, long))
{
	*in = (struct iot_inside){ iot_inside, (uintptr_t)code, (uintptr_t)frame, returned, NULL, iot_ticks() };
	iot_barrier();
	iot_inside = in;
}

static inline void iot_come_outside(const struct iot_inside *in)
{
	iot_inside = in->outer;
	iot_inside_part();
}

#endif
