/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring.h - an io_uring without liburing, for programs that say on standard output what agree.pl
 * compares with the log.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "call.h"

#define LINK	 IOSQE_IO_LINK
#define DIRECT	 IOSQE_FIXED_FILE
#define NOTIF	 (1u << 3)		/* a completion: the kernel is through with a buffer */
#define NO_MMAP	 (1u << 14)		/* a ring: its queues are the program's memory */
#define NO_SQARRAY (1u << 16)		/* entries follow each other */
#define PENDING	 0x7fffffff
#define MOST	 1000

static struct io_uring_params p;
static char *sq, *cq, *sqes;
static size_t sqe_size, cqe_size;
static unsigned *head, *sq_tail, *cq_tail, *array;
static unsigned submitted, waiting, told;
static int results[MOST];		/* the last of each request; PENDING: there is none yet */
static int ring;
static int used;			/* its descriptor, or the index by which it is called */
static unsigned by_index;		/* IORING_ENTER_REGISTERED_RING: the index */
static unsigned entered, woken;		/* so often; so often a thread of the kernel's was woken up */
static int headed;			/* so many bytes of a result were not moved */

/* A part of the ring; or memory for it. */
static char *map(size_t size, unsigned long offset)
{
	const int own = p.flags & NO_MMAP ? MAP_ANONYMOUS : 0;
	char *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE | own, own ? -1 : ring,
			own ? 0 : (off_t)offset);

	if (at == MAP_FAILED)
		exit(77);
	return at;
}

/* Where its queues are, which the kernel has said in p. */
static void look(void)
{
	sqe_size = p.flags & IORING_SETUP_SQE128 ? 128 : 64;
	cqe_size = p.flags & IORING_SETUP_CQE32 ? 32 : 16;
	if (!(p.flags & NO_MMAP)) {
		sq = map(p.sq_off.array + p.sq_entries * 4, IORING_OFF_SQ_RING);
		cq = map(p.cq_off.cqes + p.cq_entries * cqe_size, IORING_OFF_CQ_RING);
		sqes = map(p.sq_entries * sqe_size, IORING_OFF_SQES);
	}
	head = (unsigned *)(cq + p.cq_off.head);
	cq_tail = (unsigned *)(cq + p.cq_off.tail);
	sq_tail = (unsigned *)(sq + p.sq_off.tail);
	array = (unsigned *)(sq + p.sq_off.array);
}

static int begin(unsigned flags)
{
	static int none[16];

	p.flags = flags;
	if (flags & NO_MMAP) {
		sq = cq = map(4096, 0);
		sqes = map(4096, 0);
		/* as 6.5 has them; older headers do not know them */
		((uint64_t *)(void *)&p.cq_off)[4] = (uintptr_t)cq;
		((uint64_t *)(void *)&p.sq_off)[4] = (uintptr_t)sqes;
	}
	ring = used = (int)call(SYS_io_uring_setup, 8, (long)&p, 0, 0);
	if (ring < 0)
		return 77;
	look();
	memset(none, -1, sizeof(none));
	return call(SYS_io_uring_register, ring, IORING_REGISTER_FILES, (long)none, 16) ? 77 : 0;
}

/* what: operation, offset, size and file, as the log has them */
static struct io_uring_sqe *add(unsigned opcode, int fd, const void *addr, unsigned len, uint64_t off, unsigned flags,
				const char *what)
{
	const unsigned tail = *sq_tail, i = tail & (p.sq_entries - 1);
	struct io_uring_sqe *sqe = (struct io_uring_sqe *)(void *)(sqes + i * sqe_size);

	*sqe = (struct io_uring_sqe){ .opcode = (unsigned char)opcode, .fd = fd, .addr = (uintptr_t)addr, .len = len,
				      .off = off, .flags = (unsigned char)flags, .user_data = ++submitted };
	if (!(p.flags & NO_SQARRAY))
		array[i] = i;
	__atomic_store_n(sq_tail, tail + 1, __ATOMIC_RELEASE);
	waiting++;
	results[submitted] = PENDING;
	printf("r %u %s\n", submitted, what);
	return sqe;
}

/* Whether a thread of the kernel's takes requests, and sleeps. */
static unsigned sleeps(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return p.flags & IORING_SETUP_SQPOLL && __atomic_load_n((unsigned *)(void *)(sq + p.sq_off.flags), __ATOMIC_ACQUIRE) &
						   IORING_SQ_NEED_WAKEUP;
}

/* Submits them, waits for so many completions, and says how each has ended. */
static void enter(unsigned least)
{
	const unsigned n = submitted - told, asleep = sleeps();

	told = submitted;
	woken += asleep;
	entered++;
	if (call(SYS_io_uring_enter, used, n, least, IORING_ENTER_GETEVENTS | by_index | asleep * IORING_ENTER_SQ_WAKEUP) < 0)
		exit(3);
	while (*head != __atomic_load_n(cq_tail, __ATOMIC_ACQUIRE)) {
		struct io_uring_cqe *cqe =
			(struct io_uring_cqe *)(void *)(cq + p.cq_off.cqes + (*head & (p.cq_entries - 1)) * cqe_size);

		if (cqe->flags & NOTIF)
			printf("c %llu 0\n", cqe->user_data);
		else if (cqe->res < 0)
			printf("c %llu %s\n", cqe->user_data, strerrorname_np(-cqe->res));
		else
			printf("c %llu %d\n", cqe->user_data, cqe->res - (headed && cqe->res > headed ? headed : 0));
		if (!(cqe->flags & NOTIF))
			results[cqe->user_data] = cqe->res;
		waiting -= !(cqe->flags & IORING_CQE_F_MORE);
		__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
	}
}

/* Until all have ended.  The result of the last. */
static int go(void)
{
	do
		enter(1);
	while (waiting);
	return results[submitted];
}

/* As /proc has them: pipe:[N]; of a file that has a name, that behind the last slash */
static const char *name_of(int fd)
{
	static char name[200];
	char path[40], *slash;
	long n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = readlink(path, name, sizeof(name) - 1);
	name[n > 0 ? n : 0] = 0;
	slash = strrchr(name, '/');
	return slash ? slash + 1 : name;
}
