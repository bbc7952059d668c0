/* SPDX-License-Identifier: BSD-3-Clause */
/* uring-files.c - the files that are registered with an io_uring. */
#include "uring.h"

#include "arena.h"
#include "uring-ring.h"

#define MOST (1u << 20)

/* Room for n.  A table that has become too small stays mapped: another thread may look. */
static bool make_room(struct iot_ring *r, uint32_t n)
{
	struct iot_ring_file *files;

	if (n > MOST)
		return false;
	if (n > r->max_files) {
		files = iot_map(n * sizeof(*files));
		if (!files)
			return false;
		for (uint32_t i = 0; i < r->n_files; i++)
			files[i] = r->files[i];
		__atomic_store_n(&r->files, files, __ATOMIC_RELEASE);
		r->max_files = n;
	}
	__atomic_store_n(&r->n_files, n, __ATOMIC_RELEASE);
	return true;
}

void iot_uring_file(struct iot_ring *r, uint32_t index, uint32_t handle, uint32_t flags)
{
	if (index < r->n_files)
		r->files[index] = (struct iot_ring_file){ handle, flags };
}

/* The program's descriptors take places from that one on; none: NULL. */
void iot_uring_files(struct iot_thread *t, struct iot_ring *r, uint32_t from, const void *fds, uint32_t n)
{
	int part[64];

	for (uint32_t i = 0; i < n && from + i < r->n_files; i++) {
		struct iot_operation op = { 0 };

		if (!(i % 64) && !iot_fetch(part, (const int *)fds + i, (n - i < 64 ? n - i : 64) * sizeof(*part)))
			return;
		if (part[i % 64] == IOT_REGISTER_SKIP)
			continue;
		iot_request_on(t, &op, part[i % 64]);
		iot_uring_file(r, from + i, op.handle, iot_request_flags(&op));
	}
}

static void all(struct iot_thread *t, struct iot_ring *r, const void *fds, uint32_t n)
{
	r->n_files = 0;
	if (!make_room(r, n))
		return;
	for (uint32_t i = 0; i < n; i++)
		iot_uring_file(r, i, 0, 0);
	if (fds)
		iot_uring_files(t, r, 0, fds, n);
}

static void files(const struct iot_call *c, struct iot_ring *r, uint32_t opcode, const void *arg, uint32_t n)
{
	struct iot_rsrc_register reg;
	struct iot_rsrc_update2 update;

	switch (opcode) {
	case IOT_REGISTER_FILES:
		all(c->t, r, arg, n);
		break;
	case IOT_REGISTER_FILES2:
		if (iot_fetch(&reg, arg, sizeof(reg)))
			all(c->t, r, (const void *)reg.data, reg.nr);
		break;
	case IOT_UNREGISTER_FILES:
		r->n_files = 0;
		break;
	case IOT_REGISTER_FILES_UPDATE:
		if (iot_fetch(&update, arg, sizeof(struct iot_files_update)))
			iot_uring_files(c->t, r, update.offset, (const void *)update.data, n);
		break;
	case IOT_REGISTER_FILES_UPDATE2:
		if (iot_fetch(&update, arg, sizeof(update)))
			iot_uring_files(c->t, r, update.offset, (const void *)update.data, update.nr);
		break;
	}
}

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
	files(c, r, opcode, arg, n);
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
