/* SPDX-License-Identifier: BSD-3-Clause */
/* newer.c - what liburing has since 2.4, for an older one. */
#include <liburing.h>
#include <sys/syscall.h>

int io_uring_close_ring_fd(struct io_uring *ring);

__attribute__((weak)) int io_uring_close_ring_fd(struct io_uring *ring)
{
	long ret;

	/* nobody sees liburing's own system calls */
	__asm__ volatile("syscall" : "=a"(ret) : "a"(SYS_close), "D"((long)ring->ring_fd) : "rcx", "r11", "memory");
	if (ret)
		return (int)ret;
	ring->ring_fd = -1;
	return 1;
}
