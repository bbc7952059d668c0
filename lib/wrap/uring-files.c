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

static struct iot_placing *placing(struct iot_placings *all, uint32_t number)
{
	return &all->last[number % IOT_PLACINGS];
}

/* The registered file goes to another ring: what is at that place there is no longer known. */
static void sends(const struct iot_ring *r, const struct iot_sqe *s, struct iot_placing *p)
{
	struct iot_ring *to = iot_ring_hold(s->fd);

	p->ring = s->fd;
	p->place = s->file_index == IOT_FILE_ALLOC ? IOT_FILE_ALLOC : s->file_index - 1;
	p->chosen = NULL;
	p->n = 1;
	p->file[0] = s->addr3 < r->n_files ? r->files[s->addr3] : (struct iot_ring_file){ 0, 0 };
	if (!to)
		return;
	iot_uring_file(to, p->place, 0, 0);
	iot_ring_let_go(to);
}

/* The program's descriptors get places, whose numbers the kernel stores over theirs. */
static void chooses(struct iot_thread *t, const struct iot_sqe *s, struct iot_placing *p)
{
	p->ring = -1;
	p->place = IOT_FILE_ALLOC;
	p->chosen = (const int *)s->addr;
	for (p->n = 0; p->n < s->len && p->n < IOT_PLACED; p->n++) {
		struct iot_operation op = { 0 };
		int fd;

		if (!iot_fetch(&fd, p->chosen + p->n, sizeof(fd)))
			return;
		iot_request_on(t, &op, fd);
		p->file[p->n] = (struct iot_ring_file){ op.handle, iot_request_flags(&op) };
	}
}

void iot_uring_places(struct iot_thread *t, struct iot_ring *r, const struct iot_sqe *s, struct iot_operation *op)
{
	const bool tells = s->opcode == IOT_OP_MSG_RING;
	struct iot_placings *all;
	struct iot_placing *p;
	uint32_t number;

	if (s->flags & IOT_SQE_SKIP_SUCCESS || (tells && (s->addr != IOT_MSG_SEND_FD || s->flags & IOT_SQE_FIXED_FILE)))
		return;
	all = iot_map_once(&r->placings, sizeof(*all));
	if (!all)
		return;
	do
		number = __atomic_add_fetch(&all->came, 1, __ATOMIC_RELAXED);
	while (!number);
	p = placing(all, number);
	__atomic_store_n(&p->number, 0, __ATOMIC_RELEASE);
	if (tells)
		sends(r, s, p);
	else
		chooses(t, s, p);
	__atomic_store_n(&p->number, number, __ATOMIC_RELEASE);
	op->flags |= IOT_U_PLACES | (uint64_t)number << 32;
}

void iot_uring_placed(struct iot_ring *r, const struct iot_operation *op, int32_t res)
{
	const uint32_t number = IOT_U_OTHER(op->flags);
	const struct iot_placing *p = placing(r->placings, number);
	struct iot_ring *to = p->ring >= 0 ? iot_ring_hold(p->ring) : r;
	const uint32_t n = p->n;

	for (uint32_t i = 0; to && res >= 0 && i < n && (!p->chosen || i < (uint32_t)res); i++) {
		const struct iot_ring_file file = p->file[i];
		int place = p->place == IOT_FILE_ALLOC ? res : (int)p->place;

		if ((p->chosen && !iot_fetch(&place, p->chosen + i, sizeof(place))) ||
		    __atomic_load_n(&p->number, __ATOMIC_ACQUIRE) != number)
			break;
		iot_uring_file(to, (uint32_t)place, file.handle, file.flags);
	}
	if (to && to != r)
		iot_ring_let_go(to);
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

void iot_uring_registers_files(const struct iot_call *c, struct iot_ring *r, uint32_t opcode, const void *arg, uint32_t n)
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
