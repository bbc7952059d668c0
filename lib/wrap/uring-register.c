/* SPDX-License-Identifier: BSD-3-Clause */
/* uring-register.c - what io_uring_register(2), and liburing's functions like it, change of a ring. */
#include "uring.h"

#include "uring-ring.h"

/* Rings that the thread calls by an index from now on.  The kernel has stored which. */
static void rings(struct iot_thread *t, uint32_t opcode, const void *arg, int n)
{
	struct iot_files_update u;

	for (int i = 0; i < n && iot_fetch(&u, (const struct iot_files_update *)arg + i, sizeof(u)); i++)
		iot_uring_index(t, u.offset, opcode == IOT_REGISTER_RING_FDS ? (int)u.fds : -1);
}

void iot_uring_registered(const struct iot_call *c, uint32_t opcode, const void *arg, uint32_t n, int ret)
{
	struct iot_uring_params p;
	struct iot_ring *r;

	if (!c->t || ret < 0)
		return;
	opcode &= ~IOT_REGISTER_BY_INDEX;
	if (opcode == IOT_REGISTER_RING_FDS || opcode == IOT_UNREGISTER_RING_FDS) {
		rings(c->t, opcode, arg, ret);
		return;
	}
	r = iot_ring_hold(c->fd);
	if (!r)
		return;
	iot_uring_registers_files(c, r, opcode, arg, n);
	if (opcode == IOT_REGISTER_RESIZE_RINGS && iot_fetch(&p, arg, sizeof(p)))
		iot_uring_resized(c, r, &p);
	iot_ring_let_go(r);
}

void iot_uring_updated(const struct iot_call *c, uint32_t from, const void *fds, uint32_t n, int ret)
{
	struct iot_ring *r = c->t && ret >= 0 ? iot_ring_hold(c->fd) : NULL;

	if (!r)
		return;
	iot_uring_files(c->t, r, from, fds, n);
	iot_ring_let_go(r);
}

void iot_uring_indexed(const void *ring, int ret)
{
	const struct iot_liburing *lib = ring;

	if (iot_self && ret >= 0)
		iot_uring_index(iot_self, (uint32_t)lib->enter_ring_fd, lib->ring_fd);
}

void iot_uring_unindexes(const struct iot_call *c, const void *ring)
{
	const struct iot_liburing *lib = ring;

	if (c->t && lib->int_flags & IOT_LIB_INDEXED)
		iot_uring_index(c->t, (uint32_t)lib->enter_ring_fd, -1);
}

/* liburing asks the same before it closes anything. */
void iot_uring_unnamed(const struct iot_call *c, const void *ring)
{
	const struct iot_liburing *lib = ring;

	if (c->t && lib->ring_fd >= 0 && lib->int_flags & IOT_LIB_INDEXED && lib->features & IOT_FEAT_BY_INDEX)
		iot_fd_closed(c->t, lib->ring_fd);
}
