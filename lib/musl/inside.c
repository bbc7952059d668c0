/* SPDX-License-Identifier: BSD-3-Clause */
/* inside.c - see inside.h. */
#include "inside.h"

#include "desc_close.h"

#define CODE_SIZE  1024u	/* none of these functions is longer, */
#define FRAME_SIZE 1024u	/* nor its frame and its wrapper's deeper */

__thread struct iot_inside *iot_inside __attribute__((tls_model("initial-exec")));

void iot_inside_only(struct iot_inside *in, long ret)
{
	(void)in, (void)ret;
}

void iot_inline(const struct iot_desc *desc, int fd, uint64_t since, long ret, const uint64_t *arg)
{
	struct iot_call c;

	if (!iot_enter(&c, desc, IOT_INTERNAL, fd, __builtin_frame_address(0)))
		return;
	if (c.depth < IOT_MAX_SLOTS)
		iot_slots(c.t)[c.depth].start = since;
	c.start = since;
	if (c.desc->effect == IOT_E_CLOSE)
		iot_fd_closed(c.t, fd);
	iot_leave_status(&c, ret < 0 ? -1 : ret, ret < 0 ? (int)-ret : 0, arg, IOT_ST_FINISHED);
}

void iot_inside_closed(const struct iot_inside *in, int fd)
{
	const uint64_t arg[] = { (uint64_t)fd };

	iot_inline(&IOT_DESC_NAME(close), fd, in->since, 0, arg);
}

/* A jump leads to where the stack pointer is sp: functions on frames below do not return. */
void iot_inside_left(uintptr_t sp)
{
	while (iot_inside && (uintptr_t)iot_inside < sp)
		iot_inside = iot_inside->outer;
}

/* Whether what is called on this frame is called by that function. */
static bool is_part(const struct iot_inside *in, const void *frame)
{
	return in && in->frame - (uintptr_t)frame < FRAME_SIZE;
}

void iot_inside_next(void)
{
	struct iot_inside *in = iot_inside;
	void (*next)(struct iot_inside *);

	if (!is_part(in, __builtin_frame_address(0)) || !in->next)
		return;
	next = in->next;
	in->next = NULL;
	next(in);
}

void iot_inside_part(void)
{
	if (is_part(iot_inside, __builtin_frame_address(0)))
		iot_inside->since = iot_ticks();
}

extern long real(unsigned long) __asm__("__real___syscall_ret");
long wrap(unsigned long) __asm__("__wrap___syscall_ret");
long wrap(unsigned long ret)
{
	uintptr_t from = (uintptr_t)__builtin_return_address(0);
	struct iot_inside *in = iot_inside;

	if (is_part(in, __builtin_frame_address(0)) && from - in->code < CODE_SIZE)
		in->returned(in, (long)ret);
	return real(ret);
}
