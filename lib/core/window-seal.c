/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * window-seal.c - the checksum of a window that its thread leaves for good: it ends, or the
 * process ends, or becomes another program.  Should the thread make a call after all, it
 * does not find itself idle and takes the slow way (iot_attach_slow), which breaks the
 * seal before it stores anything.
 *
 * One store makes a seal, and one breaks it: whenever the process is killed, the window
 * has the one sum or the other.
 */
#include "thread.h"
#include "window.h"

void iot_window_seal(struct iot_thread *t)
{
	if (!t || t->state != IOT_IDLE || !t->win || t->gone || t->in_use == IOT_LEFT_BEHIND)
		return;
	iot_busy(t);
	iot_window_finish(t);
	*(uint64_t *)(void *)(t->data + t->used) =
		iot_sum(iot_sum(0, (const uint64_t *)(t->win + 1), IOT_MAX_SLOTS * sizeof(struct iot_slot) / 8),
			(const uint64_t *)(void *)t->data, t->used / 8);
	iot_barrier();
	*(volatile uint32_t *)&t->win->sum = iot_head_sum(t->win);
	iot_barrier();
	t->state = IOT_SEALED;
	iot_barrier();
	t->busy_frame = 0;
}

/* Returns whether it was sealed. */
bool iot_window_unseal(struct iot_thread *t)
{
	if (t->state != IOT_SEALED)
		return false;
	iot_busy(t);
	*(volatile uint32_t *)&t->win->sum = iot_size_sum(t->size);
	iot_idle(t);
	return true;
}
