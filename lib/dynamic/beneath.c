/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * beneath.c - records of what libc.so moved beneath a call, whose own calls are not seen:
 * stream.c works out how much that was.
 */
#include "conf.h"
#include "encode.h"
#include "shared-tls.h"
#include "stream.h"
#include "thread.h"
#include "window.h"

void iot_beneath(struct iot_thread *t, const struct iot_call *around, const struct iot_moved *m,
		 uint64_t end, uint64_t at)
{
	for (uint32_t i = 0; i < m->n; i++) {
		struct iot_call c = { .desc = m->of[i].desc, .start = around->start, .stack = around->stack,
				      .depth = around->depth + !around->silent, .internal = IOT_INTERNAL };
		struct iot_draft d;

		if (!iot_is_wanted(c.desc))
			continue;
		if (around->desc && around->desc->stream != IOT_S_DIRECT)
			iot_fd_shared(m->of[i].fd);
		c.handle = m->of[i].fd == around->fd ? around->handle : iot_fd_handle(t, m->of[i].fd);
		iot_draft_init(&d);
		d.size = m->of[i].bytes;
		d.offset = i || m->of[i].at != IOT_UNKNOWN ? m->of[i].at : at;
		d.present = IOT_HAS_SIZE | IOT_HAS_RET;
		iot_encode(t, &c, &d, end, d.size, 0, IOT_ST_INFERRED | iot_own_status(t, around));
	}
}

/* Behind all that the program's exit calls: what libc will do yet. */
void iot_infer_exit(void)
{
	struct iot_thread *t = iot_mine();
	struct iot_call c = { .fd = -1, .silent = true };
	struct iot_moved m;

	if (t)
		iot_window_unseal(t);
	if (!t || t->state != IOT_IDLE || !iot_families)
		return;
	m.n = 0;
	/* how long it will take is not known */
	if (iot_families >> IOT_POSIX & 1 && !iot_config.longer) {
		iot_stream_add_last(t, &m);
		iot_stream_at_exit(t, &m);
	}
	c.start = iot_ticks();
	c.depth = t->depth;
	iot_busy(t);
	iot_beneath(t, &c, &m, c.start, IOT_UNKNOWN);
	iot_usage_define(t);
	iot_idle(t);
}
