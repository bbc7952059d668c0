/* SPDX-License-Identifier: BSD-3-Clause */
/* uring.c - a ring by its system calls, and what it is asked for: requests, completions. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "show.h"

int main(void)
{
	struct io_uring_params p = { 0 };
	struct io_uring_sqe *sqe;
	int ring = (int)syscall(SYS_io_uring_setup, 4, &p), fd = open("f", O_RDWR | O_CREAT | O_TRUNC, 0600);
	unsigned *array, *tail;
	char *sq;

	/* a kernel without */
	if (ring < 0)
		return 0;
	sq = mmap(NULL, p.sq_off.array + p.sq_entries * sizeof(*array), PROT_READ | PROT_WRITE, MAP_SHARED, ring,
		  IORING_OFF_SQ_RING);
	sqe = mmap(NULL, p.sq_entries * sizeof(*sqe), PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);
	array = (unsigned *)(sq + p.sq_off.array);
	tail = (unsigned *)(sq + p.sq_off.tail);
	SHOW(syscall(SYS_io_uring_register, ring, IORING_REGISTER_FILES, &fd, 1));
	SHOW(syscall(SYS_io_uring_register, ring, 1000, NULL, 0));
	memset(sqe, 0, sizeof(*sqe));
	sqe->opcode = IORING_OP_WRITE;
	sqe->flags = IOSQE_FIXED_FILE;
	sqe->addr = (unsigned long)"text";
	sqe->len = 4;
	array[0] = 0;
	__atomic_store_n(tail, 1, __ATOMIC_RELEASE);
	SHOW(syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0));
	SHOW(syscall(SYS_io_uring_enter, -1, 0, 0, 0, NULL, 0));
	SHOW(close(ring));
	SHOW(close(fd));
	return 0;
}
