/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shared-tls-begin.c - before a clone whose child will have this thread's thread-local
 * storage.  Programs that can't make one have neither this nor shared-tls.c.
 */
#include "attach.h"
#include "shared-tls.h"
#include "thread.h"

void iot_tasks_share(uint64_t flags)
{
	struct iot_thread *t = iot_self;

	if (t && t->state == IOT_NEW)
		t = iot_attach_slow(t) ? iot_self : NULL;
	if (t && t->state != IOT_DEAD)
		iot_tasks_begin(t, iot_task_flags(flags));
}
