/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * raw.c - SETUP-FLAGS [WAY]: a ring without liburing writes 100 times 4096 bytes, entries of
 * the queue in another order than they are submitted.  WAY: unmap takes away the program's
 * mapping of the entries before each submission, disabled tries it before the ring is
 * enabled, index calls the ring by the index that it is registered with; closed has closed its
 * descriptor before, and another file has that; replaced, and another ring has it.
 * With -DINSTRUCTION the system calls are made by an instruction of the program's own.
 * Exit status 77: the kernel has no such ring.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "call.h"

#define NO_MMAP	   (1u << 14)
#define INDEX_ONLY (1u << 15)

static char *map(int fd, size_t size, unsigned long offset)
{
	int flags = fd < 0 ? MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE : MAP_SHARED | MAP_POPULATE;

	return mmap(NULL, size, PROT_READ | PROT_WRITE, flags, fd, (off_t)offset);
}

/* As 6.5 has them; older headers do not know them. */
static uint64_t *user_addr(void *offsets)
{
	return (uint64_t *)offsets + 4;
}

int main(int argc, char **argv)
{
	struct io_uring_params p = { .flags = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 0) : 0 }, other = { 0 };
	const char *way = argc > 2 ? argv[2] : "";
	size_t sqe_size = p.flags & IORING_SETUP_SQE128 ? 128 : 64, cqe_size = p.flags & IORING_SETUP_CQE32 ? 32 : 16;
	struct io_uring_rsrc_update index = { .offset = ~0u };
	char *sq, *cq, *sqes, *memory[2] = { map(-1, 4096, 0), map(-1, 4096, 0) };
	unsigned *head, *sq_tail, *cq_tail, *array, mask, flags = IORING_ENTER_GETEVENTS;
	static char data[4096];
	int ring, fd, used;

	if (p.flags & NO_MMAP) {
		*user_addr(&p.cq_off) = (uintptr_t)memory[0];
		*user_addr(&p.sq_off) = (uintptr_t)memory[1];
	}
	ring = used = (int)call(SYS_io_uring_setup, 8, (long)&p, 0, 0);
	if (ring < 0)
		return 77;
	sq = p.flags & NO_MMAP ? memory[0] : map(ring, p.sq_off.array + p.sq_entries * 4, IORING_OFF_SQ_RING);
	cq = p.flags & NO_MMAP ? memory[0] : map(ring, p.cq_off.cqes + p.cq_entries * cqe_size, IORING_OFF_CQ_RING);
	sqes = p.flags & NO_MMAP ? memory[1] : map(ring, p.sq_entries * sqe_size, IORING_OFF_SQES);
	head = (unsigned *)(cq + p.cq_off.head);
	cq_tail = (unsigned *)(cq + p.cq_off.tail);
	sq_tail = (unsigned *)(sq + p.sq_off.tail);
	array = (unsigned *)(sq + p.sq_off.array);
	mask = p.sq_entries - 1;
	if (!strcmp(way, "index") || !strcmp(way, "closed") || !strcmp(way, "replaced")) {
		index.data = (unsigned)ring;
		if (call(SYS_io_uring_register, ring, 20, (long)&index, 1) != 1)
			return 77;
		used = (int)index.offset;
		if (strcmp(way, "index"))
			call(SYS_close, ring, 0, 0, 0);
	}
	if (!strcmp(way, "replaced") && call(SYS_io_uring_setup, 8, (long)&other, 0, 0) != ring)
		return 8;
	if (used != ring || p.flags & INDEX_ONLY)
		flags |= 1u << 4;
	fd = open("out", O_RDWR | O_CREAT | O_TRUNC, 0600);
	/* the kernel drops a request that has no entry, and says so in the ring alone */
	if (!strcmp(way, "dropped")) {
		array[*sq_tail & mask] = 100;
		__atomic_store_n(sq_tail, *sq_tail + 1, __ATOMIC_RELEASE);
		if (call(SYS_io_uring_enter, used, 1, 0, 0) || *(unsigned *)(sq + p.sq_off.dropped) != 1)
			return 77;
	}
	for (unsigned i = 0; i < 100; i++) {
		unsigned tail = *sq_tail, at = tail * 3 & mask;
		struct io_uring_sqe *sqe = (void *)(sqes + at * sqe_size);

		memset(sqe, 0, sqe_size);
		sqe->opcode = IORING_OP_WRITE;
		sqe->fd = fd;
		sqe->addr = (uintptr_t)data;
		sqe->len = sizeof(data);
		sqe->off = i * sizeof(data);
		sqe->user_data = i;
		array[tail & mask] = at;
		__atomic_store_n(sq_tail, tail + 1, __ATOMIC_RELEASE);
		if (i % 4 != 3)
			continue;
		if (!strcmp(way, "disabled") && i == 3 &&
		    (call(SYS_io_uring_enter, used, 4, 0, 0) >= 0 || call(SYS_io_uring_register, ring, 12, 0, 0)))
			return 4;
		if (!strcmp(way, "unmap"))
			munmap(sqes, p.sq_entries * sqe_size);
		if (call(SYS_io_uring_enter, used, 4, 4, flags) != 4)
			return 5;
		if (!strcmp(way, "unmap"))
			sqes = map(ring, p.sq_entries * sqe_size, IORING_OFF_SQES);
		for (; *head != __atomic_load_n(cq_tail, __ATOMIC_ACQUIRE); ++*head) {
			struct io_uring_cqe *cqe = (void *)(cq + p.cq_off.cqes + (*head & (p.cq_entries - 1)) * cqe_size);

			if (cqe->res != sizeof(data))
				return 6;
		}
		if (*head != i + 1)
			return 7;
	}
	return p.flags & INDEX_ONLY ? 0 : close(ring);
}
