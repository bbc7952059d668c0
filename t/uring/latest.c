/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * latest.c - SETUP-FLAGS: requests that kernels have since 6.9, and what stands beside them, by a ring
 * without liburing: truncation, pipes as descriptors and direct ones, a link that a timeout ends.
 * Says on standard output what agree.pl compares with the log.
 * With -DINSTRUCTION the system calls are made by an instruction of the program's own.
 * Exit status 77: the kernel has no such ring, or no such requests.
 */
#define _GNU_SOURCE
#include <linux/time_types.h>

#include "ring.h"

#define FTRUNCATE 55
#define PIPE	  62

int main(int argc, char **argv)
{
	static char data[8192], what[2][300];
	struct __kernel_timespec moment = { .tv_nsec = 10000000 };
	struct io_uring_sqe *sqe;
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
	snprintf(what[0], sizeof(what[0]), "WRITE 0 7 %s", name_of(pair[0]));
	snprintf(what[1], sizeof(what[1]), "READ 0 100 %s", name_of(pair[0]));
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
