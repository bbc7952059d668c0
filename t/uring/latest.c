/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * latest.c - SETUP-FLAGS: requests that kernels have since 6.9, and what stands beside them, by a ring
 * without liburing: truncation, pipes as descriptors and direct ones, a link that a timeout ends.
 * Says on standard output what agree.pl compares with the log.
 * With -DINSTRUCTION the system calls are made by an instruction of the program's own.
 * Exit status 77: the kernel has no such ring, or no such requests.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/time_types.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "call.h"

#define FTRUNCATE 55
#define PIPE	  62
#define LINK	  IOSQE_IO_LINK
#define DIRECT	  IOSQE_FIXED_FILE

static struct io_uring_params p;
static char *sq, *cq, *sqes;
static size_t sqe_size, cqe_size;
static unsigned *head, *sq_tail, *cq_tail, *array;
static unsigned submitted, waiting;
static int ring;

static char *map(size_t size, unsigned long offset)
{
	char *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring, (off_t)offset);

	if (at == MAP_FAILED)
		exit(77);
	return at;
}

static int begin(unsigned flags)
{
	static const int none[8] = { -1, -1, -1, -1, -1, -1, -1, -1 };

	p.flags = flags;
	ring = (int)call(SYS_io_uring_setup, 8, (long)&p, 0, 0);
	if (ring < 0)
		return 77;
	sqe_size = p.flags & IORING_SETUP_SQE128 ? 128 : 64;
	cqe_size = p.flags & IORING_SETUP_CQE32 ? 32 : 16;
	sq = map(p.sq_off.array + p.sq_entries * 4, IORING_OFF_SQ_RING);
	cq = map(p.cq_off.cqes + p.cq_entries * cqe_size, IORING_OFF_CQ_RING);
	sqes = map(p.sq_entries * sqe_size, IORING_OFF_SQES);
	head = (unsigned *)(cq + p.cq_off.head);
	cq_tail = (unsigned *)(cq + p.cq_off.tail);
	sq_tail = (unsigned *)(sq + p.sq_off.tail);
	array = (unsigned *)(sq + p.sq_off.array);
	return call(SYS_io_uring_register, ring, IORING_REGISTER_FILES, (long)none, 8) ? 77 : 0;
}

/* what: operation, offset, size and file, as the log has them */
static struct io_uring_sqe *add(unsigned opcode, int fd, const void *addr, unsigned len, uint64_t off, unsigned flags,
				const char *what)
{
	const unsigned tail = *sq_tail, i = tail & (p.sq_entries - 1);
	struct io_uring_sqe *sqe = (struct io_uring_sqe *)(void *)(sqes + i * sqe_size);

	*sqe = (struct io_uring_sqe){ .opcode = (unsigned char)opcode, .fd = fd, .addr = (uintptr_t)addr, .len = len,
				      .off = off, .flags = (unsigned char)flags, .user_data = ++submitted };
	array[i] = i;
	__atomic_store_n(sq_tail, tail + 1, __ATOMIC_RELEASE);
	waiting++;
	printf("r %u %s\n", submitted, what);
	return sqe;
}

/* Submits them, and says how each has ended.  The result of the last. */
static int go(void)
{
	int last = 0;

	for (unsigned n = waiting; waiting; n = 0) {
		if (call(SYS_io_uring_enter, ring, n, 1, IORING_ENTER_GETEVENTS) < 0)
			exit(3);
		while (*head != __atomic_load_n(cq_tail, __ATOMIC_ACQUIRE)) {
			struct io_uring_cqe *cqe =
				(struct io_uring_cqe *)(void *)(cq + p.cq_off.cqes + (*head & (p.cq_entries - 1)) * cqe_size);

			if (cqe->res < 0)
				printf("c %llu %s\n", cqe->user_data, strerrorname_np(-cqe->res));
			else
				printf("c %llu %d\n", cqe->user_data, cqe->res);
			if (cqe->user_data == submitted)
				last = cqe->res;
			waiting--;
			__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
		}
	}
	return last;
}

/* As /proc has them: pipe:[N] */
static void name_of(int fd, char *name)
{
	char path[40];
	long n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = readlink(path, name, 60);
	name[n > 0 ? n : 0] = 0;
}

int main(int argc, char **argv)
{
	static char data[8192], what[2][100];
	struct __kernel_timespec moment = { .tv_nsec = 10000000 };
	struct io_uring_sqe *sqe;
	char name[64];
	int pair[2];

	if (begin(argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 0))
		return 77;
	/* a direct descriptor, of which requests that wait for it know the file already */
	sqe = add(IORING_OP_OPENAT, AT_FDCWD, "direct", 0600, 0, LINK, "OPENAT - 0 direct");
	sqe->open_flags = O_RDWR | O_CREAT | O_TRUNC;
	sqe->file_index = 3;
	add(IORING_OP_WRITE, 2, data, 100, 5000, DIRECT | LINK, "WRITE 5000 100 direct");
	add(FTRUNCATE, 2, NULL, 0, 4096, DIRECT | LINK, "FTRUNCATE - 4096 direct");
	add(IORING_OP_READ, 2, data, 4096, 0, DIRECT | LINK, "READ 0 4096 direct");
	add(IORING_OP_FSYNC, 2, NULL, 0, 0, DIRECT, "FSYNC - 0 direct");
	if (go())
		return 77;
	/* a pipe in the place of it, and of the next */
	add(PIPE, 0, pair, 0, 0, 0, "PIPE - 0 -")->file_index = 3;
	if (go())
		return 77;
	add(IORING_OP_WRITE, 3, data, 10, 0, DIRECT | LINK, "WRITE 0 10 -");
	add(IORING_OP_READ, 2, data, 4, 0, DIRECT, "READ 0 4 -");
	go();
	/* one with descriptors */
	add(PIPE, 0, pair, 0, 0, 0, "PIPE - 0 -")->rw_flags = O_CLOEXEC;
	go();
	name_of(pair[0], name);
	snprintf(what[0], sizeof(what[0]), "WRITE 0 7 %s", name);
	snprintf(what[1], sizeof(what[1]), "READ 0 100 %s", name);
	add(IORING_OP_WRITE, pair[1], data, 7, 0, 0, what[0]);
	go();
	add(IORING_OP_READ, pair[0], data, 100, 0, 0, what[1]);
	go();
	/* nothing comes any more */
	add(IORING_OP_READ, pair[0], data, 100, 0, LINK, what[1]);
	add(IORING_OP_LINK_TIMEOUT, -1, &moment, 1, 0, 0, "LINK_TIMEOUT - 0 -");
	go();
	return 0;
}
