/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * aligned.c - calls functions while the stack is off by eight bytes, as assembly, generated code
 * and the handlers of a cancelled thread of musl's may: libc's functions that do no more
 * than make a system call work then.  Prints what each returned.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* function(a, b, c, d, e, f), on a stack that is off */
long call_off(void *function, long a, long b, long c, long d, long e, long f);
__asm__(".text\n.globl call_off\n.type call_off,@function\ncall_off:\n"
	"	pushq %rbp\n	movq %rsp, %rbp\n	subq $8, %rsp\n"
	"	movq %rdi, %r11\n	movq %rsi, %rdi\n	movq %rdx, %rsi\n	movq %rcx, %rdx\n"
	"	movq %r8, %rcx\n	movq %r9, %r8\n	movq 16(%rbp), %r9\n	xorl %eax, %eax\n"
	"	call *%r11\n	leave\n	ret\n.size call_off, .-call_off\n");

static long said(const char *name, long ret)
{
	printf("%s %d %d\n", name, (int)ret, ret < 0 ? errno : 0);
	fflush(stdout);
	return ret;
}

#define OFF(name, a, b, c, d, e, f) \
	call_off((void *)name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
/* of those that return an int, the upper half may be anything */
#define SAY(name, a, b, c, d, e, f) said(#name, (int)OFF(name, a, b, c, d, e, f))

/* Requests that do nothing: what the recorder keeps of them is copied. */
static void ring(void)
{
	struct io_uring_params params = { 0 };
	int fd = SAY(syscall, SYS_io_uring_setup, 8, &params, 0, 0, 0);
	struct io_uring_sqe *sqe;
	char *queue;

	if (fd < 0)
		return;
	sqe = mmap(NULL, 8 * sizeof(*sqe), PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQES);
	queue = mmap(NULL, params.sq_off.array + 8 * sizeof(unsigned), PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQ_RING);
	if ((void *)sqe == MAP_FAILED || (void *)queue == MAP_FAILED)
		return;
	for (unsigned i = 0; i < 4; i++) {
		sqe[i] = (struct io_uring_sqe){ .opcode = IORING_OP_NOP, .fd = -1, .user_data = i };
		((unsigned *)(void *)(queue + params.sq_off.array))[i] = i;
	}
	__atomic_store_n((unsigned *)(void *)(queue + params.sq_off.tail), 4, __ATOMIC_RELEASE);
	SAY(syscall, SYS_io_uring_enter, fd, 4, 4, IORING_ENTER_GETEVENTS, 0);
}

int main(void)
{
	char bytes[100] = "";
	struct stat st;
	struct iovec vector = { bytes, 10 };
	int fd, copy, ends[2];
	struct pollfd waits = { .events = POLLIN };
	void *map;

	fd = SAY(open, "file", O_RDWR | O_CREAT | O_TRUNC, 0666, 0, 0, 0);
	/* more than fit into what is at hand */
	for (int i = 0; i < 3000; i++)
		OFF(write, fd, "hello", 5, 0, 0, 0);
	SAY(write, fd, "hello", 5, 0, 0, 0);
	SAY(pwrite, fd, "hello", 5, 100, 0, 0);
	SAY(lseek, fd, 0, SEEK_SET, 0, 0, 0);
	SAY(read, fd, bytes, sizeof(bytes), 0, 0, 0);
	SAY(pread, fd, bytes, sizeof(bytes), 5, 0, 0);
	SAY(fsync, fd, 0, 0, 0, 0, 0);
	SAY(ftruncate, fd, 50, 0, 0, 0, 0);
	SAY(fstat, fd, &st, 0, 0, 0, 0);
	SAY(stat, "file", &st, 0, 0, 0, 0);
	SAY(fcntl, fd, F_GETFD, 0, 0, 0, 0);
	SAY(ioctl, fd, FIONREAD, &copy, 0, 0, 0);
	copy = SAY(dup, fd, 0, 0, 0, 0, 0);
	SAY(dup2, copy, 77, 0, 0, 0, 0);
	SAY(close, copy, 0, 0, 0, 0, 0);
	SAY(pipe, ends, 0, 0, 0, 0, 0);
	SAY(writev, ends[1], &vector, 1, 0, 0, 0);
	SAY(readv, ends[0], &vector, 1, 0, 0, 0);
	map = (void *)OFF(mmap, 0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	SAY(msync, map, 4096, MS_SYNC, 0, 0, 0);
	SAY(munmap, map, 4096, 0, 0, 0, 0);
	SAY(unlink, "file", 0, 0, 0, 0, 0);
	SAY(mkdir, "one", 0777, 0, 0, 0, 0);
	SAY(rename, "one", "two", 0, 0, 0, 0);
	SAY(rmdir, "two", 0, 0, 0, 0, 0);
	SAY(access, "/nonexistent", F_OK, 0, 0, 0, 0);
	SAY(socketpair, AF_UNIX, SOCK_STREAM, 0, ends, 0, 0);
	SAY(send, ends[0], bytes, 9, 0, 0, 0);
	SAY(recv, ends[1], bytes, 9, 0, 0, 0);
	waits.fd = ends[0];
	SAY(poll, &waits, 1, 0, 0, 0, 0);
	SAY(epoll_create1, 0, 0, 0, 0, 0, 0);
	SAY(syscall, SYS_write, fd, "x", 1, 0, 0);
	ring();
	SAY(open, "/nonexistent", O_RDONLY, 0, 0, 0, 0);
	return 0;
}
