/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vfork.c - what vfork's wrapper calls.  The wrapper itself is assembly (see
 * IOT_VFORK): the child returns from it first and runs over its frame, so that
 * all that the parent needs must be in registers, which the kernel keeps.
 */
#include "vfork.h"

#include "fork.h"
#include "wrap.h"

#include "desc_vfork.h"

/* In the parent, before. */
struct iot_thread *iot_vfork_before(void *frame)
{
	struct iot_call c;

	if (iot_enter(&c, &IOT_DESC_NAME(vfork), 0, -1, frame)) {
		iot_note_made(c.t, c.depth);
		c.t->vfork = c;
	} else if (iot_mine()) {
		iot_mine()->vfork.t = NULL;
	}
	return iot_self;
}

void iot_vfork_child(void)
{
	iot_child_runs();
}

/* In the parent, after: what vfork returns. */
long iot_vfork_after(struct iot_thread *t, long ret)
{
	iot_child_end(t);
	t = iot_mine();
	iot_fork_parent();
	if (ret < 0) {
		errno = (int)-ret;
		ret = -1;
	}
	if (t && t->vfork.t)
		iot_leave(&t->vfork, ret, NULL);
	return ret;
}
