/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * requests.c - the records of asynchronous operations: a request when one is issued, a
 * completion when its end is seen.  Both name the operation's number.
 *
 * No program calls these.  They have the stack of the call that they are made in.
 */
#include "requests.h"

#include "desc_completion.h"
#include "desc_request.h"

/* No frame of its own: it has the stack of the call around it. */
#define NO_FRAME ((void *)((uintptr_t)__builtin_frame_address(0) | 1))

void iot_request_on(struct iot_thread *t, struct iot_operation *op, int fd)
{
	iot_request_file(op, 0, 0);
	if (fd < 0)
		return;
	iot_busy(t);
	/* another thread may learn just now that the number stands for something new */
	for (int i = 0; i < 3 && !op->handle; i++) {
		const struct iot_fd *e = iot_fd_get(t, fd);
		uint32_t handle = __atomic_load_n(&e->handle, __ATOMIC_ACQUIRE);

		iot_request_file(op, handle, e->flags);
	}
	iot_idle(t);
}

void iot_request_puts(struct iot_operation *op, uint64_t flags)
{
	if (flags & IOT_RWF_APPEND || (op->appends && !(flags & IOT_RWF_NOAPPEND)))
		op->offset = IOT_UNKNOWN;
}

/* Begins its record; false: there is to be none. */
static bool begin(struct iot_call *c, const struct iot_desc *desc, const struct iot_call *in,
		  const struct iot_operation *op, void *frame)
{
	if (op->silent || !iot_enter(c, desc, 0, -1, frame))
		return false;
	c->handle = op->handle;
	c->stack = in->stack;
	return true;
}

void iot_request_record(const struct iot_call *in, const struct iot_operation *op)
{
	const uint64_t words[] = { op->number, (uintptr_t)op->what, 0, op->size, op->offset, op->queue, op->flags,
				   op->eventfd };
	struct iot_call c;

	if (!begin(&c, &IOT_DESC_NAME(request), in, op, NO_FRAME))
		return;
	iot_leave_status(&c, 0, 0, words, IOT_ST_FINISHED);
}

void iot_completion_record(const struct iot_call *in, const struct iot_operation *op, long ret)
{
	const uint64_t words[] = { op->number, (uintptr_t)op->what, 0, op->size, op->offset,
				   op->queue, (uintptr_t)op->by, op->start, op->seen, op->pending };
	struct iot_call c;

	if (!begin(&c, &IOT_DESC_NAME(completion), in, op, NO_FRAME))
		return;
	iot_leave_status(&c, ret < 0 ? -1 : ret, ret < 0 ? (int)-ret : 0, words, IOT_ST_FINISHED);
}
