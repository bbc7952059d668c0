/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * resize.c - the queues of a ring become larger, and then smaller (IORING_REGISTER_RESIZE_RINGS): 28
 * requests, of which the first, a read of a pipe, is in flight all the time.  Before the queues change there
 * is a completion in them that the program has taken without a call, and one that it takes later.
 * With -DINSTRUCTION the system calls are made by an instruction of the program's own.
 * Exit status 77: the kernel has no such ring, or resizes none.
 */
#define _GNU_SOURCE
#include <linux/io_uring.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "call.h"

/* newer than some headers */
#define SINGLE_ISSUER (1u << 12)
#define DEFER_TASKRUN (1u << 13)
#define NO_SQARRAY    (1u << 16)
#define RESIZE_RINGS  33

static int ring;
static char *queues, *entries;
static struct io_uring_params p = { .flags = SINGLE_ISSUER | DEFER_TASKRUN | NO_SQARRAY };

static void look(void)
{
	const int prot = PROT_READ | PROT_WRITE, flags = MAP_SHARED | MAP_POPULATE;

	queues = mmap(NULL, p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe), prot, flags, ring, IORING_OFF_SQ_RING);
	entries = mmap(NULL, p.sq_entries * sizeof(struct io_uring_sqe), prot, flags, ring, IORING_OFF_SQES);
}

/* The old queues stay mapped, and are of no use. */
static void resize(unsigned requests, unsigned completions)
{
	p = (struct io_uring_params){ .sq_entries = requests, .cq_entries = completions, .flags = IORING_SETUP_CQSIZE };
	if (call(SYS_io_uring_register, ring, RESIZE_RINGS, (long)&p, 1))
		exit(77);
	look();
}

static void add(unsigned opcode, int fd, void *to, unsigned size, unsigned name)
{
	unsigned *tail = (void *)(queues + p.sq_off.tail);
	struct io_uring_sqe *sqe = (void *)(entries + (*tail & (p.sq_entries - 1)) * sizeof(*sqe));

	*sqe = (struct io_uring_sqe){ .opcode = (unsigned char)opcode, .fd = fd, .len = size, .user_data = name };
	sqe->addr = (unsigned long)to;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
}

static void enter(unsigned n, unsigned completions)
{
	if (call(SYS_io_uring_enter, ring, n, completions, IORING_ENTER_GETEVENTS) != n)
		exit(2);
}

static void take(unsigned name, int res)
{
	unsigned *head = (void *)(queues + p.cq_off.head), *tail = (void *)(queues + p.cq_off.tail);
	const struct io_uring_cqe *cqe = (void *)(queues + p.cq_off.cqes);

	cqe += *head & (p.cq_entries - 1);
	if (*head == __atomic_load_n(tail, __ATOMIC_ACQUIRE) || cqe->user_data != name || cqe->res != res)
		exit(3);
	__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
}

int main(void)
{
	int end[2];
	char byte;

	ring = (int)call(SYS_io_uring_setup, 8, (long)&p, 0, 0);
	if (ring < 0 || pipe(end))
		return 77;
	look();
	add(IORING_OP_READ, end[0], &byte, 1, 1);
	add(IORING_OP_NOP, -1, NULL, 0, 2);
	add(IORING_OP_NOP, -1, NULL, 0, 3);
	enter(3, 2);
	take(2, 0);
	resize(32, 64);
	take(3, 0);
	for (unsigned i = 4; i < 28; i++)
		add(IORING_OP_NOP, -1, NULL, 0, i);
	enter(24, 24);
	for (unsigned i = 4; i < 27; i++)
		take(i, 0);
	add(IORING_OP_NOP, -1, NULL, 0, 28);
	enter(1, 2);
	take(27, 0);
	resize(4, 8);
	take(28, 0);
	if (write(end[1], "x", 1) != 1)
		return 4;
	enter(0, 1);
	take(1, 1);
	return 0;
}
