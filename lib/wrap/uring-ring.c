/* SPDX-License-Identifier: BSD-3-Clause */
/* uring-ring.c - the io_urings of the process: uring-ring.h. */
#include "uring.h"

#include "arena.h"
#include "sys.h"
#include "uring-ring.h"

#include <string.h>
#include <sys/mman.h>

#define BUCKETS 64u
#define GOING	0x80000000u		/* as holders: it is being unmapped */
#define MOST	(1u << 16)		/* entries; the kernel has fewer */

/* Structs stay where they are for ever, and are used again. */
static struct iot_ring *buckets[BUCKETS];
#define MOST_NUMBERS 0x40000000
/* Rings that the thread has registered (IORING_REGISTER_RING_FDS): their numbers, + 1 */
static __thread int registered[IOT_RING_INDEXES] __attribute__((tls_model("initial-exec")));

static struct iot_ring *try_hold(struct iot_ring *r, int fd)
{
	uint32_t n = __atomic_load_n(&r->holders, __ATOMIC_RELAXED);

	while (n && n < GOING && __atomic_load_n(&r->fd, __ATOMIC_ACQUIRE) == fd)
		if (__atomic_compare_exchange_n(&r->holders, &n, n + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
			if (__atomic_load_n(&r->fd, __ATOMIC_ACQUIRE) == fd)
				return r;
			iot_ring_let_go(r);
			return NULL;
		}
	return NULL;
}

/* The first struct with that descriptor; of others: that is not the ring itself. */
static struct iot_ring *hold_struct(int fd, bool others)
{
	struct iot_ring *r = fd == -1 ? NULL : __atomic_load_n(&buckets[(uint32_t)fd % BUCKETS], __ATOMIC_ACQUIRE);

	for (; r; r = r->next) {
		if (__atomic_load_n(&r->fd, __ATOMIC_RELAXED) != fd || !try_hold(r, fd))
			continue;
		if (!others || r->same)
			return r;
		iot_ring_let_go(r);
	}
	return NULL;
}

struct iot_ring *iot_ring_hold(int fd)
{
	struct iot_ring *r = hold_struct(fd, false), *same = r ? r->same : NULL;

	if (!same)
		return r;
	/* r holds it */
	__atomic_fetch_add(&same->holders, 1, __ATOMIC_ACQ_REL);
	iot_ring_let_go(r);
	return same;
}

static void unmap(void *p, uint64_t size)
{
	if (p)
		iot_sys_munmap(p, size);
}

static void wipe(struct iot_ring *r);

static void wipe_before(struct iot_ring *r)
{
	if (!r->before)
		return;
	wipe(r->before);
	iot_unmap(r->before, IOT_PAGE);
	r->before = NULL;
}

static void wipe(struct iot_ring *r)
{
	wipe_before(r);
	if (!r->by_fetch) {
		if (r->cq != r->sq)
			unmap((void *)r->cq, r->cq_size);
		unmap((void *)r->sq, r->sq_size);
		unmap((void *)r->sqes, r->sqes_size);
	}
	if (r->entries)
		iot_unmap(r->entries, r->sq_entries * sizeof(*r->entries));
	if (r->files)
		iot_unmap(r->files, r->max_files * sizeof(*r->files));
	if (r->quiet)
		iot_unmap(r->quiet, sizeof(*r->quiet));
	if (r->placings)
		iot_unmap(r->placings, sizeof(*r->placings));
	if (r->line)
		iot_unmap(r->line, sizeof(*r->line));
	iot_ring_unshare(r);
	r->sq = r->cq = r->sqes = NULL;
	r->entries = NULL;
	r->line = NULL;
	r->quiet = NULL;
	r->placings = NULL;
	r->files = NULL;
	r->n_files = r->max_files = 0;
}

void iot_ring_let_go(struct iot_ring *r)
{
	uint32_t n = __atomic_load_n(&r->holders, __ATOMIC_RELAXED);
	struct iot_ring *same;

	while (!__atomic_compare_exchange_n(&r->holders, &n, n == 1 ? GOING : n - 1, false, __ATOMIC_ACQ_REL,
					    __ATOMIC_RELAXED))
		;
	if (n != 1)
		return;
	same = r->same;
	r->same = NULL;
	wipe(r);
	__atomic_store_n(&r->holders, 0, __ATOMIC_RELEASE);
	if (same)
		iot_ring_let_go(same);
}

/* Another descriptor of the ring than fd, or a number, if there is no descriptor; or -1. */
static int other_of(const struct iot_ring *r, int fd)
{
	int least = -1;

	for (uint32_t i = 0; i < BUCKETS; i++)
		for (struct iot_ring *a = __atomic_load_n(&buckets[i], __ATOMIC_ACQUIRE); a; a = a->next) {
			int is = __atomic_load_n(&a->fd, __ATOMIC_ACQUIRE);

			if (is != fd && (unsigned int)is < (unsigned int)least &&
			    __atomic_load_n(&a->same, __ATOMIC_ACQUIRE) == r)
				least = is;
		}
	return least;
}

bool iot_ring_is_last(const struct iot_ring *r, int fd)
{
	return __atomic_load_n(&r->fd, __ATOMIC_ACQUIRE) == fd && other_of(r, fd) == -1;
}

void iot_ring_drop(int fd)
{
	struct iot_ring *r = iot_ring_hold(fd), *other = hold_struct(fd, true);
	int is = fd;

	if (other && __atomic_compare_exchange_n(&other->fd, &is, -1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		iot_ring_let_go(other);
	if (other)
		iot_ring_let_go(other);
	if (!r)
		return;
	/* it is called by another descriptor from now on, which may be closed meanwhile */
	for (int to = other_of(r, -1); __atomic_compare_exchange_n(&r->fd, &fd, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
	     fd = to, to = other_of(r, -1)) {
		if (to >= 0)
			r->shown = (uint32_t)to;
		if (to == -1) {
			iot_operations_gone((uintptr_t)r);
			iot_ring_let_go(r);
			break;
		}
		if (to == other_of(r, -1))
			break;
	}
	iot_ring_let_go(r);
}

/* One that nobody uses, or a new one; nobody finds it yet. */
static struct iot_ring *fresh(int fd)
{
	struct iot_ring **bucket = &buckets[(uint32_t)fd % BUCKETS], *r;

	for (r = __atomic_load_n(bucket, __ATOMIC_ACQUIRE); r; r = r->next) {
		uint32_t none = 0;

		if (__atomic_compare_exchange_n(&r->holders, &none, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			return r;
	}
	r = iot_map(IOT_PAGE);
	if (!r)
		return NULL;
	r->fd = -1;
	r->holders = 1;
	r->next = __atomic_load_n(bucket, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(bucket, &r->next, r, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		;
	return r;
}

static const char *map(int fd, uint64_t size, uint64_t offset)
{
	void *p = (void *)iot_sys_mmap(NULL, size, PROT_READ, MAP_SHARED, fd, offset);

	return IOT_FAILED(p) ? NULL : p;
}

static bool map_all(struct iot_ring *r, int fd, const struct iot_uring_params *p)
{
	const uint64_t cqe = r->flags & IOT_SETUP_CQE32 ? 32 : 16;

	r->sq_size = r->flags & IOT_SETUP_NO_SQARRAY ? 0 : p->sq.array + p->sq_entries * sizeof(uint32_t);
	r->cq_size = p->cq.cqes + p->cq_entries * cqe;
	r->sqes_size = p->sq_entries * (r->flags & IOT_SETUP_SQE128 ? 128ULL : 64ULL);
	r->by_fetch = r->flags & IOT_SETUP_NO_MMAP;
	if (r->by_fetch) {
		r->sq = r->cq = (const char *)p->cq.user_addr;
		r->sqes = (const char *)p->sq.user_addr;
		return r->cq && r->sqes;
	}
	if (p->features & IOT_FEAT_SINGLE_MMAP && r->sq_size < r->cq_size)
		r->sq_size = r->cq_size;
	r->sqes = map(fd, r->sqes_size, IOT_OFF_SQES);
	r->sq = map(fd, r->sq_size, IOT_OFF_SQ_RING);
	r->cq = p->features & IOT_FEAT_SINGLE_MMAP ? r->sq : map(fd, r->cq_size, IOT_OFF_CQ_RING);
	return r->sqes && r->sq && r->cq;
}

/* The thread's, which has just been given it. */
static uint32_t index_of_number(int number)
{
	uint32_t i = 0;

	while (i < IOT_RING_INDEXES && iot_ring_number(i) != number)
		i++;
	return i;
}

static bool is_sane(const struct iot_uring_params *p)
{
	return p->sq_entries - 1 < MOST && p->cq_entries - 1 < MOST && !(p->sq_entries & (p->sq_entries - 1)) &&
	       !(p->cq_entries & (p->cq_entries - 1));
}

/* Its queues.  r->flags are those with which it was made. */
static bool look_into(struct iot_ring *r, int fd, const struct iot_uring_params *p)
{
	r->sq_entries = p->sq_entries;
	r->cq_entries = p->cq_entries;
	r->sq_head = p->sq.head;
	r->sq_tail = p->sq.tail;
	r->sq_flags = p->sq.flags;
	r->sq_array = p->sq.array;
	r->cq_head = p->cq.head;
	r->cq_tail = p->cq.tail;
	r->cq_overflow = p->cq.overflow;
	r->cqes = p->cq.cqes;
	if (!map_all(r, fd, p))
		return false;
	r->entries = iot_map(r->sq_entries * sizeof(*r->entries));
	return r->entries;
}

static bool begin(struct iot_ring *r, int fd, const struct iot_uring_params *p)
{
	r->shown = fd >= 0 ? (uint32_t)fd : index_of_number(fd);
	r->flags = p->flags;
	r->shared = false;
	r->full = r->told = false;
	r->inside = 0;
	r->reader = NULL;
	if (!look_into(r, fd, p) || !iot_ring_word(r, r->sq, r->sq_head, &r->recorded) ||
	    !iot_ring_word(r, r->cq, r->cq_tail, &r->seen) ||
	    !iot_ring_word(r, r->cq, r->cq_overflow, &r->overflown))
		return false;
	r->claimed = r->left = r->recorded;
	r->line = iot_map_wiped(sizeof(*r->line));
	return true;
}

void iot_ring_new(int fd, const struct iot_uring_params *p)
{
	struct iot_ring *r;

	iot_ring_drop(fd);
	if (fd == -1 || !is_sane(p))
		return;
	r = fresh(fd);
	if (!r)
		return;
	if (begin(r, fd, p))
		__atomic_store_n(&r->fd, fd, __ATOMIC_RELEASE);
	else
		iot_ring_let_go(r);
}

static void exchange_queues(struct iot_ring *r, struct iot_ring *with)
{
	const size_t from = offsetof(struct iot_ring, sq_entries), size = offsetof(struct iot_ring, recorded) - from;
	struct iot_ring was;

	memcpy((char *)&was + from, (char *)r + from, size);
	memcpy((char *)r + from, (char *)with + from, size);
	memcpy((char *)with + from, (char *)&was + from, size);
}

bool iot_ring_resize(struct iot_ring *r, const struct iot_uring_params *p)
{
	struct iot_ring *fresh = is_sane(p) ? iot_map(IOT_PAGE) : NULL;
	struct iot_uring_params now = *p;

	if (!fresh)
		return false;
	fresh->flags = r->flags;
	now.features |= r->sq == r->cq ? IOT_FEAT_SINGLE_MMAP : 0;
	if (!look_into(fresh, r->fd, &now)) {
		wipe(fresh);
		iot_unmap(fresh, IOT_PAGE);
		return false;
	}
	/* those that the kernel has not taken */
	for (uint32_t at = r->recorded; at != r->claimed; at++)
		fresh->entries[at & (fresh->sq_entries - 1)] = r->entries[at & (r->sq_entries - 1)];
	/* a ring that may be resized takes requests of one task only */
	iot_ring_unshare(r);
	exchange_queues(r, fresh);
	wipe_before(r);
	r->before = fresh;
	return true;
}

void iot_ring_dup(int from, int to)
{
	struct iot_ring *r = iot_ring_hold(from), *other = r ? fresh(to) : NULL;

	if (other) {
		other->same = r;
		__atomic_store_n(&other->fd, to, __ATOMIC_RELEASE);
	} else if (r) {
		iot_ring_let_go(r);
	}
}

int iot_ring_number(uint32_t index)
{
	return index < IOT_RING_INDEXES ? registered[index] - 1 : -1;
}

int iot_ring_new_number(uint32_t index)
{
	static uint32_t came;
	int number = -2 - (int)(__atomic_fetch_add(&came, 1, __ATOMIC_RELAXED) % MOST_NUMBERS);

	if (index >= IOT_RING_INDEXES)
		return -1;
	registered[index] = number + 1;
	return number;
}

void iot_ring_no_number(uint32_t index)
{
	if (index < IOT_RING_INDEXES)
		registered[index] = 0;
}

uint32_t iot_ring_index_of(int fd)
{
	struct iot_ring *r = iot_ring_hold(fd), *is;
	uint32_t i = r ? 0 : IOT_RING_INDEXES;

	for (; i < IOT_RING_INDEXES; i++) {
		is = iot_ring_hold(registered[i] - 1);
		if (is)
			iot_ring_let_go(is);
		if (is == r)
			break;
	}
	if (r)
		iot_ring_let_go(r);
	return i;
}

void iot_rings_each(void (*what)(struct iot_ring *, void *), void *with)
{
	for (uint32_t i = 0; i < BUCKETS; i++)
		for (struct iot_ring *r = __atomic_load_n(&buckets[i], __ATOMIC_ACQUIRE); r; r = r->next) {
			int fd = __atomic_load_n(&r->fd, __ATOMIC_ACQUIRE);

			if (fd == -1 || !try_hold(r, fd))
				continue;
			if (!r->same)
				what(r, with);
			iot_ring_let_go(r);
		}
}

void iot_rings_forked(void)
{
	for (int step = 0; step < 2; step++)
		for (uint32_t i = 0; i < BUCKETS; i++)
			for (struct iot_ring *r = buckets[i]; r; r = r->next) {
				if (r->fd == -1)
					continue;
				if (step == 0)
					r->holders = 1;
				else if (r->same)
					r->same->holders++;
			}
	for (uint32_t i = 0; i < IOT_RING_INDEXES; i++)
		iot_ring_no_number(i);
	for (uint32_t i = 0; i < BUCKETS; i++)
		for (struct iot_ring *r = buckets[i]; r; r = r->next)
			if (r->fd < -1)
				iot_ring_drop(r->fd);
}

bool iot_uring_is_known(int fd)
{
	struct iot_ring *r = iot_ring_hold(fd);

	if (r)
		iot_ring_let_go(r);
	return r;
}
