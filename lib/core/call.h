/* SPDX-License-Identifier: BSD-3-Clause */
/* call.h - a call in progress, and the ways into it and out of it: enter.c, leave.c. */
#ifndef IOT_CALL_H
#define IOT_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "desc.h"
#include "iotrace-format.h"

#pragma GCC visibility push(hidden)

struct iot_ofd;
struct iot_stream;
struct iot_thread;

/* A call in progress, on the wrapper's stack. */
struct iot_call {
	struct iot_thread *t;		/* NULL: not recorded */
	const struct iot_desc *desc;
	uint64_t start;
	uint64_t offset;		/* before the call; IOT_UNKNOWN */
	uint64_t end;			/* the file's before it, if it may write there; IOT_UNKNOWN */
	struct iot_ofd *ofd;		/* of a call that moves the offset */
	uint32_t depth;
	uint32_t handle;
	uint32_t stack;
	uint32_t internal;		/* 0 or IOT_INTERNAL */
	uint32_t generation;
	uint64_t ticket;		/* of iot_ofd_enter */
	uintptr_t frame;		/* its wrapper's, as its slot has it */
	int fd;
	int err;
	bool no_syscall;		/* it got by without one */
	bool no_result;			/* what came back is not known */
	bool silent;			/* only its effect on descriptors counts */
	bool untraced;			/* its path is not to be traced */
	bool own;			/* MPI makes it for itself */
	bool appends;			/* its descriptor does */
	bool looked;			/* at what the page cache has (cache.c): */
	uint64_t cached;		/* bytes, of what it is to read; IOT_UNKNOWN */
	uint64_t in, out;		/* that this thread had from devices, and made dirty, before */
	struct iot_stream *stream;	/* what it was before; NULL: not looked at */
};
#define IOT_UNKNOWN	(~0ULL)
#define IOT_INTERNAL	(1u << IOT_INTERNAL_SHIFT)

/* enter.c.  It returns false if the call is not to be recorded; then nothing else
   is to be done.  fd: the call's descriptor, -1 if it has none. */
bool iot_enter(struct iot_call *c, const struct iot_desc *desc, uint32_t internal, int fd, void *frame);
/* leave.c */
void iot_leave(struct iot_call *c, long ret, const uint64_t *args);
void iot_leave_status(struct iot_call *c, long ret, int err, const uint64_t *args, uint32_t status);
void iot_closes(struct iot_call *c);
void iot_noreturn(struct iot_call *c, const uint64_t *args);

#pragma GCC visibility pop

#endif
