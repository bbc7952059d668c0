/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * log-space.c - space in the log: who needs some has it behind the log's end, writes it in one
 * piece or maps it.
 */
#include "log-space.h"

#include "arena.h"
#include "conf.h"
#include "log-share.h"
#include "logfd.h"
#include "lost.h"
#include "slow-disk.h"
#include "sys.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* To go beyond it would raise SIGXFSZ in the program. */
uint64_t iot_log_size_limit(void)
{
	static uint64_t last = RLIM_INFINITY;
	struct rlimit rl;

	/* if a filter won't have it asked, it won't have it changed either */
	if (iot_syscall(SYS_prlimit64, 0L, (long)RLIMIT_FSIZE, (void *)NULL, &rl) == 0 &&
	    rl.rlim_cur != __atomic_load_n(&last, __ATOMIC_RELAXED))
		__atomic_store_n(&last, rl.rlim_cur, __ATOMIC_RELAXED);
	return __atomic_load_n(&last, __ATOMIC_RELAXED);
}

static char zeroes[4096];		/* const would be in the executable */

/* Reserves space in the log; 0 = there is no more, with the reason in the header.
   (t/model/log.pml) */
uint64_t iot_log_alloc(uint64_t size, uint64_t align)
{
	uint64_t was = __atomic_load_n(&iot_share->end, __ATOMIC_RELAXED), limit = iot_log_size_limit(), at;

	do {
		at = (was + align - 1) & -align;
		if (at + size < at || (iot_config.limit && at + size > iot_config.limit)) {
			iot_lost(0, IOT_LOST_LIMIT);
			return 0;
		}
		if (at + size > limit) {
			iot_lost(0, IOT_LOST_FSIZE);
			return 0;
		}
	} while (!__atomic_compare_exchange_n(&iot_share->end, &was, at + size, false, __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
	/* For readers: whatever is written lies below the end that they go by, although others that have
	   reserved what lies before it may not have come here yet, or may never come. */
	iot_header_raise(&iot_header->end, at + size);
	return at;
}

/* What was reserved and can't be had is free again, unless others have reserved what lies
   behind.  Else the log's end, by which its size is limited, would run away from who can't store
   anything: without a disk's space, or in a child whose filter forbids that. */
static IOT_COLD void give_back(uint64_t at, uint64_t size)
{
	uint64_t end = at + size, told = iot_counted(end);

	/* first what readers go by: whoever reserves the space next raises it again */
	__atomic_compare_exchange_n(&iot_header->end, &told, iot_counted(at), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	__atomic_compare_exchange_n(&iot_share->end, &end, at, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

enum { PARTS = 4 };

/* What is left of a block behind its first bytes: header, records, their checksum, and
   zeroes up to its size. */
static uint32_t parts(struct iovec *iov, const struct iot_piece *p, uint32_t skip)
{
	const uint32_t known = (uint32_t)(sizeof(p->head) + p->head.used + sizeof(p->sum));
	const struct iovec whole[PARTS] = { { (void *)&p->head, sizeof(p->head) },
					    { (void *)p->records, p->head.used },
					    { (void *)&p->sum, sizeof(p->sum) },
					    { zeroes, p->head.size - known } };

	for (int i = 0; i < PARTS; i++) {
		uint32_t there = skip < whole[i].iov_len ? skip : (uint32_t)whole[i].iov_len;

		iov[i] = (struct iovec){ (char *)whole[i].iov_base + there, whole[i].iov_len - there };
		skip -= there;
	}
	/* Zeroes all look the same, and are no more than that at a time.  Only the block of a
	   full window may have more, and that is written by itself. */
	iov[PARTS - 1].iov_base = zeroes;
	if (iov[PARTS - 1].iov_len > sizeof(zeroes))
		iov[PARTS - 1].iov_len = sizeof(zeroes);
	return skip;
}

struct writing {
	const struct iot_piece *piece;
	uint32_t n_pieces;
	bool is_hole;			/* nothing of them is in the file */
	uint64_t off, size;
};

static long write_blocks(int fd, void *arg)
{
	static const uint32_t no_magic;
	struct writing *w = arg;
	uint64_t done = 0;
	long n = 1;

	while (n > 0 && done < w->size) {
		struct iovec iov[PARTS * IOT_TOGETHER];
		uint32_t skip = (uint32_t)done;

		/* in one piece, as kernels do best */
		for (uint32_t i = 0; i < w->n_pieces; i++)
			skip = parts(&iov[PARTS * i], &w->piece[i], skip);
		do
			n = iot_sys_pwritev(fd, iov, PARTS * (int)w->n_pieces, w->off + done);
		while (n == -EINTR);
		done += n > 0 ? (uint64_t)n : 0;
	}
	if (done == w->size)
		return 0;
	/* a part of a block is none: a hole is left there */
	w->is_hole = !done || iot_syscall(SYS_fallocate, (long)fd, (long)(FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE),
					  w->off, done) == 0;
	if (!w->is_hole)
		iot_sys_pwrite(fd, &no_magic, sizeof(no_magic), w->off);
	return n < 0 ? n : -ENOSPC;
}

/* Writes up to IOT_TOGETHER blocks; false if that failed, with the reason in the log's
   header. */
bool iot_log_write(const struct iot_piece *piece, uint32_t n_pieces, uint64_t off)
{
	struct writing w = { .piece = piece, .n_pieces = n_pieces, .is_hole = true, .off = off };
	const uint64_t began = iot_log_writes();
	long r;

	for (uint32_t i = 0; i < n_pieces; i++)
		w.size += piece[i].head.size;
	r = iot_log_do(write_blocks, &w);
	iot_log_written(began);
	if (r == 0)
		return true;
	if (w.is_hole)
		give_back(off, w.size);
	iot_lost(0, (uint64_t)-r);
	return false;
}

/* Makes sure that disk space is there: a store to a mapping must not find the
   disk full.  Returns 0 or -errno. */
long iot_log_provide(int fd, uint64_t off, uint64_t size)
{
	long r = iot_sys_fallocate(fd, off, size);

	if (r != -EOPNOTSUPP && r != -ENOSYS)
		return r;
	for (uint64_t i = 0; i < size; i += sizeof(zeroes)) {
		r = iot_sys_pwrite(fd, zeroes, sizeof(zeroes), off + i);
		if (r != sizeof(zeroes))
			return r < 0 ? r : -ENOSPC;
	}
	return 0;
}

static long provide(int fd, void *arg)
{
	const struct iot_log_part *p = arg;

	return iot_log_provide(fd, p->off, p->size);
}

/* Space in the log for what is to be mapped; 0: there is none. */
uint64_t iot_log_space(uint64_t size)
{
	uint64_t at = iot_log_alloc(size, IOT_ALIGN);
	struct iot_log_part part = { at, size };
	long r;

	if (!at)
		return 0;
	r = iot_log_do(provide, &part);
	if (r == 0)
		return at;
	give_back(at, size);
	iot_lost(0, (uint64_t)-r);
	return 0;
}

/*
 * The front of the log, header and first windows, is one mapping from the beginning on, also
 * of what the file has not got yet: a fork pays for each mapping.
 */
#define FRONT (224u << 10)
static char *front;		/* NULL: no more than the header is mapped, if that */

/* The header, mapped, with the front behind it if there is room. */
void *iot_log_map_header(int fd, long *error)
{
	front = iot_map_is_ample() ? iot_map_inherited(FRONT, fd, 0, error) : NULL;
	return front ? front : iot_map_inherited(IOT_HEADER_SIZE, fd, 0, error);
}

/* All but the header; with which front went that is here no longer. */
void iot_log_unmap_front(void)
{
	if (front)
		iot_unmap_inherited(front + IOT_HEADER_SIZE, FRONT - IOT_HEADER_SIZE);
	front = NULL;
}

static bool is_in_front(const char *p)
{
	return front && (uintptr_t)(p - front) < FRONT;
}

struct mapping {
	struct iot_log_part part;
	bool inherited;
	void *p;
};

static long map_part(int fd, void *arg)
{
	struct mapping *m = arg;
	const uint64_t off = m->part.off, size = m->part.size;
	struct stat st;
	long error = iot_sys_fstat(fd, &st);

	if (error == 0 && (off % IOT_ALIGN || off > (uint64_t)st.st_size || size > (uint64_t)st.st_size - off))
		error = -IOT_LOST_FILE;
	if (error == 0 && front && off + size <= FRONT)
		m->p = front + off;
	else if (error == 0)
		m->p = (m->inherited ? iot_map_inherited : iot_map_shared)(size, fd, off, &error);
	return m->p ? 0 : error;
}

/* Maps size bytes of the log at off, which another process may have said.  inherited: as
   iot_map_inherited does. */
void *iot_log_map(uint64_t off, uint64_t size, bool inherited)
{
	struct mapping m = { { off, size }, inherited, NULL };
	long error = iot_log_do(map_part, &m);

	if (!m.p)
		iot_lost(0, (uint64_t)-error);
	return m.p;
}

/* What was not mapped to be inherited forked children will not have, unless it is in the front.
   Whether that is so. */
bool iot_log_unfork(void *p, uint64_t size)
{
	return !is_in_front(p) && iot_map_unforked(p, size) == 0;
}

void iot_log_unmap(void *p, uint64_t size, bool inherited)
{
	if (!is_in_front(p))
		(inherited ? iot_unmap_inherited : iot_unmap_shared)(p, size);
}
