/* SPDX-License-Identifier: BSD-3-Clause */
/* uring.c - what wrappers do about io_urings: uring.h. */
#include "uring.h"

#include "hooks.h"
#include "logfd.h"
#include "sys.h"
#include "uring-ring.h"

/* A call may end on another thread than it began on.  A handler that interrupted the recorder makes
   its calls by a recorder beneath that one. */
static bool is_this_threads(const struct iot_thread *of)
{
	const struct iot_thread *t = iot_self;

	while (t && t != of && t->state == IOT_BUSY)
		t = t->nested;
	return t && t == of && t->state == IOT_IDLE;
}

/* The ring, in a call that is still this thread's. */
static struct iot_ring *hold(const struct iot_call *c)
{
	return is_this_threads(c->t) ? iot_ring_hold(c->fd) : NULL;
}

static uint32_t distance(const void *from, const void *to)
{
	return (uint32_t)((const char *)to - (const char *)from);
}

/* What the kernel gave is its descriptor, or its index, if it has none. */
static void follow(const struct iot_call *c, int fd, const struct iot_uring_params *p)
{
	if (p->flags & IOT_SETUP_INDEX_ONLY) {
		iot_uring_index(c->t, (uint32_t)fd, -1);
		fd = iot_ring_new_number((uint32_t)fd);
	} else {
		iot_log_reached(fd);
		iot_fd_closed(c->t, fd);
	}
	if (p->sq_entries) {
		iot_ring_new(fd, p);
		iot_uring_watch(c->t);
	}
}

/* liburing does not say what the kernel told it, but for what follows from its pointers. */
void iot_uring_made(const struct iot_call *c, const void *ring, int ret)
{
	const struct iot_liburing *lib = ring;
	struct iot_uring_params p = { 0 };

	if (!c->t || ret < 0)
		return;
	p.flags = lib->flags;
	p.features = lib->sq.ring_ptr == lib->cq.ring_ptr ? IOT_FEAT_SINGLE_MMAP : 0;
	p.sq_entries = *lib->sq.kring_entries;
	p.cq_entries = *lib->cq.kring_entries;
	p.sq.head = distance(lib->sq.ring_ptr, lib->sq.khead);
	p.sq.tail = distance(lib->sq.ring_ptr, lib->sq.ktail);
	p.sq.flags = distance(lib->sq.ring_ptr, lib->sq.kflags);
	p.sq.array = lib->flags & IOT_SETUP_NO_SQARRAY ? 0 : distance(lib->sq.ring_ptr, lib->sq.array);
	p.cq.head = distance(lib->cq.ring_ptr, lib->cq.khead);
	p.cq.tail = distance(lib->cq.ring_ptr, lib->cq.ktail);
	p.cq.overflow = distance(lib->cq.ring_ptr, lib->cq.koverflow);
	p.cq.cqes = distance(lib->cq.ring_ptr, lib->cq.cqes);
	p.sq.user_addr = (uintptr_t)lib->sq.sqes;
	p.cq.user_addr = (uintptr_t)lib->cq.ring_ptr;
	follow(c, p.flags & IOT_SETUP_INDEX_ONLY ? lib->enter_ring_fd : lib->ring_fd, &p);
}

void iot_uring_set_up(const struct iot_call *c, const void *params, int fd)
{
	struct iot_uring_params p;

	if (!c->t || fd < 0)
		return;
	if (!iot_fetch(&p, params, sizeof(p)))
		p = (struct iot_uring_params){ 0 };
	follow(c, fd, &p);
}

void iot_uring_begins(const struct iot_call *c, uint32_t most, const void *ring, struct iot_kept *by)
{
	struct iot_ring *r = hold(c);

	if (!r)
		return;
	__atomic_fetch_add(&r->inside, 1, __ATOMIC_RELAXED);
	r->full = false;
	iot_uring_collect(c, r);
	r->full = iot_uring_is_full(r);
	if (most || r->flags & IOT_SETUP_SQPOLL)
		iot_uring_claim(c, r, most, ring, by);
	iot_ring_let_go(r);
}

void iot_uring_entered(const struct iot_call *c)
{
	struct iot_ring *r = hold(c);

	if (!r)
		return;
	iot_uring_record(c, r);
	if (__atomic_sub_fetch(&r->inside, 1, __ATOMIC_ACQ_REL) == 0)
		iot_uring_leaves(r);
	iot_uring_collect(c, r);
	iot_ring_let_go(r);
}

void iot_uring_ends(const struct iot_call *c)
{
	uint32_t index;

	if (!c->t)
		return;
	/* before its descriptor, which is the last to be closed */
	while ((index = iot_ring_index_of(c->fd)) < IOT_RING_INDEXES)
		iot_uring_index(c->t, index, -1);
	iot_fd_closed(c->t, c->fd);
}

static void look(struct iot_ring *r, const struct iot_call *c)
{
	iot_uring_record(c, r);
	iot_uring_collect(c, r);
}

/* Nobody looks at it any more.  What the kernel took, and no call was seen to submit, is lost but
   for what a thread of the kernel's took last. */
static void finish(struct iot_ring *r, void *c)
{
	iot_uring_claim(c, r, 0, NULL, NULL);
	look(r, c);
	iot_uring_held(c, r);
}

/* What is left of a ring whose descriptor is about to be closed. */
void iot_uring_closed(struct iot_thread *t, int fd)
{
	struct iot_call in = { .t = t, .depth = t ? t->depth : 0, .fd = fd };
	struct iot_ring *r = iot_ring_hold(fd);

	if (!r)
		return;
	if (is_this_threads(t) && iot_ring_is_last(r, fd))
		finish(r, &in);
	else if (is_this_threads(t))
		look(r, &in);
	iot_ring_let_go(r);
	iot_ring_drop(fd);
}

void iot_uring_index(struct iot_thread *t, uint32_t index, int fd)
{
	iot_uring_closed(t, iot_ring_number(index));
	iot_ring_no_number(index);
	if (fd >= 0 && iot_ring_new_number(index) != -1)
		iot_ring_dup(fd, iot_ring_number(index));
}

void iot_uring_thread_ends(void)
{
	struct iot_thread *t = iot_mine();

	for (uint32_t i = 0; t && i < IOT_RING_INDEXES; i++)
		if (iot_ring_number(i) != -1)
			iot_uring_index(t, i, -1);
}

void iot_uring_dup(int from, int to)
{
	iot_ring_dup(from, to);
}

void iot_uring_exits(struct iot_call *c)
{
	/* a child in our memory ends, and the rings are in use */
	if (!c->t || c->t->flags & IOT_BLOCK_VFORK)
		return;
	/* two who look at the same time may note requests in another order */
	iot_uring_unwatch();
	if (is_this_threads(c->t))
		iot_rings_each(finish, c);
}

/* What is in a queue that the kernel reads by itself is this process's. */
static void forks(struct iot_ring *r, void *c)
{
	if (c && r->flags & IOT_SETUP_SQPOLL)
		iot_uring_claim(c, r, 0, NULL, NULL);
	iot_ring_share(r);
}

void iot_uring_forks(struct iot_thread *t)
{
	struct iot_call in = { .t = t, .depth = t ? t->depth : 0, .fd = -1 };

	iot_rings_each(forks, t && is_this_threads(t) ? &in : NULL);
}

/* What the other process has in flight is its own affair. */
static void forked(struct iot_ring *r, void *in_child)
{
	r->shared = true;
	if (!in_child)
		return;
	r->reader = NULL;
	r->inside = 0;
	for (; r->recorded != r->claimed; r->recorded++)
		r->entries[r->recorded & (r->sq_entries - 1)].ready = 0;
	if (iot_ring_word(r, r->sq, r->sq_head, &r->recorded))
		r->claimed = r->left = r->recorded;
	iot_ring_word(r, r->cq, r->cq_tail, &r->seen);
}

void iot_uring_forked(bool in_child)
{
	if (in_child) {
		iot_rings_forked();
		iot_uring_unwatched();
	}
	iot_rings_each(forked, in_child ? (void *)1 : NULL);
}

bool iot_uring_has_news(int fd)
{
	struct iot_ring *r = iot_ring_hold(fd);
	uint32_t tail;
	bool news;

	if (!r)
		return false;
	news = iot_ring_word(r, r->cq, r->cq_tail, &tail) && __atomic_load_n(&r->seen, __ATOMIC_RELAXED) != tail;
	iot_ring_let_go(r);
	return news;
}

int iot_uring_fd_of(int fd, bool by_index)
{
	struct iot_ring *r;

	if (!by_index)
		return fd;
	r = iot_ring_hold(iot_ring_number((uint32_t)fd));
	if (!r)
		return -1;
	fd = r->fd;
	iot_ring_let_go(r);
	return fd;
}
