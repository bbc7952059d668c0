/* SPDX-License-Identifier: BSD-3-Clause */
/* requests.h - the records of asynchronous operations: requests.c. */
#ifndef IOT_REQUESTS_H
#define IOT_REQUESTS_H

#include "operation.h"
#include "paths.h"
#include "wrap.h"

#pragma GCC visibility push(hidden)

/* Names of what operations do, and of who issues them. */
#define IOT_KEPT(name) ((struct iot_kept){ .text = #name })

/* Whether operations are recorded at all. */
static inline bool iot_follows_requests(void)
{
	return iot_families >> IOT_AIO & 1;
}

/* Notes which file op is about.  fd: -1 for none. */
void iot_request_on(struct iot_thread *t, struct iot_operation *op, int fd);
/* It is the file of that handle, with these IOT_FD_*; and what is to be kept of these. */
static inline void iot_request_file(struct iot_operation *op, uint32_t handle, uint32_t flags)
{
	op->handle = handle;
	op->silent = flags & IOT_FD_UNTRACED;
	op->appends = flags & IOT_FD_APPEND;
}
static inline uint32_t iot_request_flags(const struct iot_operation *op)
{
	return (op->silent ? IOT_FD_UNTRACED : 0) | (op->appends ? IOT_FD_APPEND : 0);
}
/* It writes, with these flags (RWF_*): it may have no offset then, since nobody knows where the end is
   by the time that it is carried out. */
void iot_request_puts(struct iot_operation *op, uint64_t flags);
/* The record of its beginning, in the call that issued it, which has not been left yet. */
void iot_request_record(const struct iot_call *in, const struct iot_operation *op);
/* The record of its end, in the call that learns of it.  ret: what it
   returned, or an error as the kernel has it, -EIO.  What is known of op is enough. */
void iot_completion_record(const struct iot_call *in, const struct iot_operation *op, long ret);

#pragma GCC visibility pop

#endif
