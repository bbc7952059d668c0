/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * every.c - SETUP-FLAGS [copies]: each request that the kernel has and that needs no device of its own, by
 * a ring without liburing, or what copies from one file to another alone; says on standard output what
 * agree.pl compares with the log.
 * With -DINSTRUCTION the system calls are made by an instruction of the program's own.
 * Exit status 77: the kernel has no such ring.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <linux/time_types.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "ring.h"

/* what headers may lack */
enum { READ_MULTISHOT = 49, WAITID = 50, FUTEX_WAIT_ = 51, FUTEX_WAKE_ = 52, FUTEX_WAITV_ = 53, INSTALL = 54,
       FTRUNCATE = 55, BIND = 56, LISTEN = 57, EPOLL_WAIT_ = 59, READV_FIXED = 60, WRITEV_FIXED = 61 };
#define POLL_MULTISHOT	(1u << 0)
#define RECV_MULTISHOT	(1u << 1)
#define RECV_BUNDLE	(1u << 4)
#define ACCEPT_MULTISHOT (1u << 0)
#define TIMEOUT_MULTISHOT (1u << 6)
#define SPLICE_REGISTERED (1u << 31)
#define ALLOC		0xffffffffu
#define REGISTER_PBUF_RING 22
#define GROUP		7

static struct {
	struct io_uring_probe head;
	struct io_uring_probe_op op[256];
} known;
static char data[65536] __attribute__((aligned(4096))), big[65536] __attribute__((aligned(4096)));
static struct iovec vector[2] = { { data, 100 }, { data + 100, 200 } };
static int plain, appended;
static char what[300];
static int bad;

static bool has(unsigned opcode)
{
	return opcode <= known.head.last_op && known.op[opcode].flags & IO_URING_OP_SUPPORTED;
}

/* OPERATION OFFSET SIZE, and the file that is open there */
static const char *at(const char *how, int fd)
{
	snprintf(what, sizeof(what), "%s %s", how, name_of(fd));
	return what;
}

static void is(const char *which, long is, long wanted)
{
	if (is == wanted)
		return;
	fprintf(stderr, "every: %s: %ld, and not %ld\n", which, is, wanted);
	bad = 1;
}

/* The next result of that request. */
static int next(unsigned request)
{
	while (results[request] == PENDING)
		enter(1);
	return results[request];
}

static void files(void)
{
	plain = open("plain", O_RDWR | O_CREAT | O_TRUNC, 0600);
	appended = open("appended", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
	is("beginning", write(appended, data, 1000), 1000);
	add(IORING_OP_NOP, -1, NULL, 0, 0, 0, "NOP - 0 -");
	go();
	add(IORING_OP_WRITEV, plain, vector, 2, 0, 0, "WRITEV 0 300 plain");
	go();
	add(IORING_OP_READV, plain, vector, 2, 10, 0, "READV 10 300 plain");
	is("readv", go(), 290);
	add(IORING_OP_FSYNC, plain, NULL, 0, 0, 0, "FSYNC - 0 plain");
	add(IORING_OP_FSYNC, plain, NULL, 0, 0, 0, "FSYNC - 0 plain")->fsync_flags = IORING_FSYNC_DATASYNC;
	go();
	add(IORING_OP_WRITE_FIXED, plain, data, 40000, 300, 0, "WRITE_FIXED 300 40000 plain");
	go();
	add(IORING_OP_READ_FIXED, plain, big, 50000, 0, 0, "READ_FIXED 0 50000 plain")->buf_index = 1;
	is("read_fixed", go(), 40300);
	if (has(WRITEV_FIXED)) {
		add(WRITEV_FIXED, plain, vector, 2, 8000, 0, "WRITEV_FIXED 8000 300 plain");
		go();
		add(READV_FIXED, plain, vector, 2, 8000, 0, "READV_FIXED 8000 300 plain");
		is("readv_fixed", go(), 300);
	}
	add(IORING_OP_SYNC_FILE_RANGE, plain, NULL, 4096, 0, 0, "SYNC_FILE_RANGE 0 4096 plain");
	add(IORING_OP_FALLOCATE, plain, (void *)50000, 0, 100, 0, "FALLOCATE 100 50000 plain");
	go();
	/* 32 bits, and 64 of newer kernels */
	add(IORING_OP_FADVISE, plain, NULL, 4096, 100, 0, "FADVISE 100 4096 plain");
	add(IORING_OP_FADVISE, plain, (void *)0x180000000, 0, 100, 0, "FADVISE 100 6442450944 plain");
	add(IORING_OP_MADVISE, -1, data, 4096, 0, 0, "MADVISE - 4096 -");
	add(IORING_OP_MADVISE, -1, data, 0, 8192, 0, "MADVISE - 8192 -");
	go();
	/* at its own position, and at the file's end */
	add(IORING_OP_WRITE, plain, data, 700, -1ULL, 0, "WRITE - 700 plain");
	go();
	add(IORING_OP_WRITE, appended, data, 50, 0, 0, "WRITE - 50 appended");
	add(IORING_OP_WRITE, plain, data, 50, 10, 0, "WRITE - 50 plain")->rw_flags = RWF_APPEND;
	add(IORING_OP_WRITE, plain, data, 50, 4096, 0, "WRITE 4096 50 plain")->rw_flags = RWF_DSYNC;
	go();
	add(IORING_OP_FSETXATTR, plain, "user.b", 3, (uintptr_t)"val", 0, "FSETXATTR - 0 plain");
	add(IORING_OP_FGETXATTR, plain, "user.b", 30, (uintptr_t)data, 0, "FGETXATTR - 0 plain");
	go();
}

static void names(void)
{
	static struct statx stx;
	struct {
		uint64_t flags, mode, resolve;
	} how = { .flags = O_RDONLY };
	int fd;

	add(IORING_OP_OPENAT, AT_FDCWD, "opened", 0600, 0, 0, "OPENAT - 0 opened")->open_flags = O_RDWR | O_CREAT | O_TRUNC;
	fd = go();
	add(IORING_OP_WRITE, fd, data, 123, 7, 0, "WRITE 7 123 opened");
	go();
	add(IORING_OP_CLOSE, fd, NULL, 0, 0, 0, "CLOSE - 0 opened");
	go();
	add(IORING_OP_OPENAT2, AT_FDCWD, "opened", sizeof(how), (uintptr_t)&how, 0, "OPENAT2 - 0 opened");
	fd = go();
	add(IORING_OP_READ, fd, data, 8192, 0, 0, "READ 0 8192 opened");
	is("read", go(), 130);
	close(fd);
	add(IORING_OP_STATX, AT_FDCWD, "opened", STATX_SIZE, (uintptr_t)&stx, 0, "STATX - 0 opened");
	add(IORING_OP_MKDIRAT, AT_FDCWD, "folder", 0700, 0, 0, "MKDIRAT - 0 folder");
	add(IORING_OP_RENAMEAT, AT_FDCWD, "opened", (unsigned)AT_FDCWD, (uintptr_t)"renamed", 0, "RENAMEAT - 0 opened");
	go();
	add(IORING_OP_LINKAT, AT_FDCWD, "renamed", (unsigned)AT_FDCWD, (uintptr_t)"linked", 0, "LINKAT - 0 renamed");
	add(IORING_OP_SYMLINKAT, AT_FDCWD, "renamed", 0, (uintptr_t)"symbolic", 0, "SYMLINKAT - 0 symbolic");
	go();
	add(IORING_OP_SETXATTR, 0, "user.a", 3, (uintptr_t)"val", 0, "SETXATTR - 0 renamed")->addr3 = (uintptr_t)"renamed";
	add(IORING_OP_GETXATTR, 0, "user.a", 30, (uintptr_t)data, 0, "GETXATTR - 0 renamed")->addr3 = (uintptr_t)"renamed";
	add(IORING_OP_UNLINKAT, AT_FDCWD, "linked", 0, 0, 0, "UNLINKAT - 0 linked");
	add(IORING_OP_UNLINKAT, AT_FDCWD, "symbolic", 0, 0, 0, "UNLINKAT - 0 symbolic");
	add(IORING_OP_UNLINKAT, AT_FDCWD, "folder", 0, 0, 0, "UNLINKAT - 0 folder")->unlink_flags = AT_REMOVEDIR;
	go();
}

/* What is copied is read from one file and written to the other. */
static void copies(void)
{
	int one[2], other[2];
	struct io_uring_sqe *sqe;

	if (pipe(one) || pipe(other))
		exit(4);
	sqe = add(IORING_OP_SPLICE, one[1], (void *)100, 500, -1ULL, 0, "SPLICE 100 500 plain");
	sqe->splice_fd_in = plain;
	is("splice of a file", go(), 500);
	sqe = add(IORING_OP_TEE, other[1], NULL, 400, 0, 0, at("TEE - 400", one[0]));
	sqe->splice_fd_in = one[0];
	is("tee", go(), 400);
	sqe = add(IORING_OP_SPLICE, plain, (void *)-1L, 300, 60000, 0, at("SPLICE - 300", one[0]));
	sqe->splice_fd_in = one[0];
	is("splice to a file", go(), 300);
	add(IORING_OP_FILES_UPDATE, -1, &plain, 1, 10, 0, "FILES_UPDATE - 0 -");
	go();
	sqe = add(IORING_OP_SPLICE, one[1], (void *)200, 77, -1ULL, 0, "SPLICE 200 77 plain");
	sqe->splice_fd_in = 10;
	sqe->splice_flags = SPLICE_REGISTERED;
	is("splice of a registered file", go(), 77);
	if (has(READ_MULTISHOT)) {
		unsigned shot;

		add(IORING_OP_PROVIDE_BUFFERS, 4, big, 1000, 0, 0, "PROVIDE_BUFFERS - 0 -")->buf_group = 9;
		go();
		sqe = add(READ_MULTISHOT, other[0], NULL, 0, -1ULL, IOSQE_BUFFER_SELECT, at("READ_MULTISHOT - 0", other[0]));
		sqe->buf_group = 9;
		shot = submitted;
		is("what a pipe has", next(shot), 400);
		for (int i = 0; i < 2; i++) {
			results[shot] = PENDING;
			is("a pipe", write(other[1], data, 10), 10);
			is("read, again and again", next(shot), 10);
		}
		close(other[1]);
		while (waiting)
			enter(1);
		add(IORING_OP_REMOVE_BUFFERS, 1, NULL, 0, 0, 0, "REMOVE_BUFFERS - 0 -")->buf_group = 9;
		go();
	}
}

static void waits(void)
{
	struct __kernel_timespec soon = { .tv_nsec = 1000000 }, never = { .tv_sec = 3600 };
	struct epoll_event event = { .events = EPOLLIN }, events[4];
	static uint32_t word = 5;
	uint64_t one = 1;
	int counter = eventfd(0, 0), set = epoll_create1(0);
	struct io_uring_sqe *sqe;
	siginfo_t info;
	pid_t child;

	add(IORING_OP_TIMEOUT, -1, &soon, 1, 0, 0, "TIMEOUT - 0 -");
	is("timeout", go(), -ETIME);
	add(IORING_OP_TIMEOUT, -1, &never, 1, 0, 0, "TIMEOUT - 0 -");
	enter(0);
	add(IORING_OP_TIMEOUT_REMOVE, -1, (void *)(uintptr_t)submitted, 0, 0, 0, "TIMEOUT_REMOVE - 0 -");
	go();
	if (has(READ_MULTISHOT)) {
		add(IORING_OP_TIMEOUT, -1, &soon, 1, 3, 0, "TIMEOUT - 0 -")->timeout_flags = TIMEOUT_MULTISHOT;
		go();
	}
	add(IORING_OP_READ, counter, &one, 8, 0, LINK, at("READ 0 8", counter));
	add(IORING_OP_LINK_TIMEOUT, -1, &soon, 1, 0, 0, "LINK_TIMEOUT - 0 -");
	go();
	add(IORING_OP_POLL_ADD, counter, NULL, 0, 0, 0, at("POLL_ADD - 0", counter))->poll32_events = POLLIN;
	enter(0);
	add(IORING_OP_POLL_REMOVE, -1, (void *)(uintptr_t)submitted, 0, 0, 0, "POLL_REMOVE - 0 -");
	go();
	add(IORING_OP_POLL_ADD, counter, NULL, POLL_MULTISHOT, 0, 0, at("POLL_ADD - 0", counter))->poll32_events = POLLIN;
	enter(0);
	add(IORING_OP_ASYNC_CANCEL, -1, (void *)(uintptr_t)submitted, 0, 0, 0, "ASYNC_CANCEL - 0 -");
	go();
	add(IORING_OP_EPOLL_CTL, set, &event, EPOLL_CTL_ADD, (uint64_t)counter, 0, at("EPOLL_CTL - 0", set));
	go();
	if (has(EPOLL_WAIT_)) {
		add(EPOLL_WAIT_, set, events, 4, 0, 0, at("EPOLL_WAIT - 0", set));
		enter(0);
		is("an event", write(counter, &one, 8), 8);
		is("epoll_wait", go(), 1);
	}
	if (has(WAITID)) {
		child = fork();
		if (!child)
			_exit(3);
		sqe = add(WAITID, child, NULL, P_PID, (uintptr_t)&info, 0, "WAITID - 0 -");
		sqe->file_index = WEXITED;
		is("waitid", go(), 0);
		/* 32 bits, and private */
		add(FUTEX_WAKE_, 0x82, &word, 0, 1, 0, "FUTEX_WAKE - 0 -")->addr3 = ~0u;
		go();
		add(FUTEX_WAIT_, 0x82, &word, 0, 4, 0, "FUTEX_WAIT - 0 -")->addr3 = ~0u;
		is("futex_wait", go(), -EAGAIN);
		add(FUTEX_WAITV_, 0, &word, 0, 0, 0, "FUTEX_WAITV - 0 -");
		go();
	}
}

/* 8 buffers of 1000 bytes, in a ring of their own */
static bool buffers(void)
{
	struct buffer {
		uint64_t addr;
		uint32_t len;
		uint16_t bid, tail;
	} *b = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_SHARED, -1, 0);
	struct {
		uint64_t addr;
		uint32_t entries;
		uint16_t group, flags;
		uint64_t reserved[3];
	} reg = { .addr = (uintptr_t)b, .entries = 8, .group = GROUP };

	if (b == MAP_FAILED || call(SYS_io_uring_register, ring, REGISTER_PBUF_RING, (long)&reg, 1))
		return false;
	for (uint16_t i = 0; i < 8; i++) {
		b[i].addr = (uintptr_t)big + i * 1000UL;
		b[i].len = 1000;
		b[i].bid = i;
	}
	__atomic_store_n(&b->tail, 8, __ATOMIC_RELEASE);
	return true;
}

/* What comes in several parts has a record for each, with the bytes that came. */
static void shots(int from, int to)
{
	struct msghdr names_too = { .msg_namelen = 16, .msg_controllen = 32 };
	struct io_uring_sqe *sqe;
	unsigned shot;

	if (!buffers() || !has(READ_MULTISHOT))
		return;
	sqe = add(IORING_OP_RECV, to, NULL, 0, 0, IOSQE_BUFFER_SELECT, at("RECV - 0", to));
	sqe->buf_group = GROUP;
	sqe->ioprio = RECV_MULTISHOT;
	shot = submitted;
	for (int i = 1; i <= 2; i++) {
		results[shot] = PENDING;
		is("send", write(from, data, 70 + i), 70 + i);
		is("recv, again and again", next(shot), 70 + i);
	}
	add(IORING_OP_ASYNC_CANCEL, -1, (void *)(uintptr_t)shot, 0, 0, 0, "ASYNC_CANCEL - 0 -");
	go();
	sqe = add(IORING_OP_RECVMSG, to, &names_too, 1, 0, IOSQE_BUFFER_SELECT, at("RECVMSG - 0", to));
	sqe->buf_group = GROUP;
	sqe->ioprio = RECV_MULTISHOT;
	shot = submitted;
	headed = 16 + 16 + 32;
	is("send", write(from, data, 333), 333);
	is("recvmsg, again and again", next(shot), 16 + 16 + 32 + 333);
	add(IORING_OP_ASYNC_CANCEL, -1, (void *)(uintptr_t)shot, 0, 0, 0, "ASYNC_CANCEL - 0 -");
	go();
	headed = 0;
	if (!has(BIND)) /* of the same age */
		return;
	is("send", write(from, data, 2500), 2500);
	sqe = add(IORING_OP_RECV, to, NULL, 0, 0, IOSQE_BUFFER_SELECT, at("RECV - 0", to));
	sqe->buf_group = GROUP;
	sqe->ioprio = RECV_BUNDLE;
	go();
}

static void sockets(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	struct msghdr msg = { .msg_iov = vector, .msg_iovlen = 2 };
	socklen_t size = sizeof(address);
	int listens, from[4], to[2];
	struct io_uring_sqe *sqe;
	unsigned shot;

	add(IORING_OP_SOCKET, AF_INET, NULL, 0, SOCK_STREAM, 0, "SOCKET - 0 -");
	listens = go();
	if (has(BIND)) {
		add(BIND, listens, &address, 0, size, 0, at("BIND - 0", listens));
		go();
		add(LISTEN, listens, NULL, 8, 0, 0, at("LISTEN - 0", listens));
		go();
	} else if (bind(listens, (void *)&address, size) || listen(listens, 8)) {
		exit(5);
	}
	getsockname(listens, (void *)&address, &size);
	add(IORING_OP_ACCEPT, listens, NULL, 0, 0, 0, at("ACCEPT - 0", listens))->ioprio = ACCEPT_MULTISHOT;
	shot = submitted;
	enter(0);
	for (int i = 0; i < 2; i++) {
		from[i] = socket(AF_INET, SOCK_STREAM, 0);
		results[shot] = PENDING;
		add(IORING_OP_CONNECT, from[i], &address, 0, size, 0, at("CONNECT - 0", from[i]));
		to[i] = next(shot);
	}
	add(IORING_OP_ASYNC_CANCEL, -1, (void *)(uintptr_t)shot, 0, 0, 0, "ASYNC_CANCEL - 0 -");
	go();
	add(IORING_OP_SEND, from[0], data, 1000, 0, 0, at("SEND - 1000", from[0]));
	go();
	/* what is only looked at stays there */
	add(IORING_OP_RECV, to[0], data, 4000, 0, 0, at("RECV - 4000", to[0]))->msg_flags = MSG_PEEK;
	is("recv that looks", go(), 1000);
	add(IORING_OP_RECVMSG, to[0], &msg, 1, 0, 0, at("RECVMSG - 300", to[0]))->msg_flags = MSG_PEEK;
	is("recvmsg that looks", go(), 300);
	add(IORING_OP_RECV, to[0], data, 4000, 0, 0, at("RECV - 4000", to[0]));
	is("recv", go(), 1000);
	add(IORING_OP_SENDMSG, from[0], &msg, 1, 0, 0, at("SENDMSG - 300", from[0]));
	go();
	add(IORING_OP_RECVMSG, to[0], &msg, 1, 0, 0, at("RECVMSG - 300", to[0]));
	is("recvmsg", go(), 300);
	if (has(IORING_OP_SENDMSG_ZC)) {
		add(IORING_OP_SEND_ZC, from[0], data, 2000, 0, 0, at("SEND_ZC - 2000", from[0]))->ioprio = 1u << 3;
		go();
		add(IORING_OP_SENDMSG_ZC, from[0], &msg, 1, 0, 0, at("SENDMSG_ZC - 300", from[0]));
		go();
	}
	add(IORING_OP_SHUTDOWN, from[0], NULL, SHUT_WR, 0, 0, at("SHUTDOWN - 0", from[0]));
	go();
	shots(from[1], to[1]);

	/* a socket that is accepted is neither the one that it came by, nor the file that was in its place */
	add(IORING_OP_FILES_UPDATE, -1, &plain, 1, 4, 0, "FILES_UPDATE - 0 -");
	go();
	for (int i = 2; i < 4; i++) {
		sqe = add(IORING_OP_ACCEPT, listens, NULL, 0, 0, 0, at("ACCEPT - 0", listens));
		sqe->file_index = i == 2 ? 5 : ALLOC;
		enter(0);
		from[i] = socket(AF_INET, SOCK_STREAM, 0);
		if (connect(from[i], (void *)&address, size))
			exit(6);
		go();
		is("send", write(from[i], data, 60), 60);
		add(IORING_OP_RECV, i == 2 ? 4 : results[submitted], data, 100, 0, DIRECT, "RECV - 100 -");
		is("recv of a direct descriptor", go(), 60);
	}
}

static void direct(void)
{
	struct io_uring_sqe *sqe;
	int fds[2] = { plain, appended }, slot;

	sqe = add(IORING_OP_OPENAT, AT_FDCWD, "plain", 0, 0, LINK, "OPENAT - 0 plain");
	sqe->open_flags = O_RDWR;
	sqe->file_index = 1;
	add(IORING_OP_READ, 0, data, 100, 0, DIRECT, "READ 0 100 plain");
	is("read of a direct descriptor", go(), 100);
	if (has(INSTALL)) {
		add(INSTALL, 0, NULL, 0, 0, DIRECT, "FIXED_FD_INSTALL - 0 plain");
		add(IORING_OP_READ, go(), data, 100, 5, 0, "READ 5 100 plain");
		is("read of what was direct", go(), 100);
	}
	/* the kernel chooses the place */
	for (int i = 0; i < 2; i++) {
		sqe = add(IORING_OP_OPENAT, AT_FDCWD, i ? "appended" : "plain", 0, 0, 0, i ? "OPENAT - 0 appended" : "OPENAT - 0 plain");
		sqe->open_flags = O_RDWR | (i ? O_APPEND : 0);
		sqe->file_index = ALLOC;
		slot = go();
		add(IORING_OP_WRITE, slot, data, 100, 200, DIRECT, i ? "WRITE - 100 appended" : "WRITE 200 100 plain");
		is("write to a direct descriptor", go(), 100);
	}
	add(IORING_OP_FILES_UPDATE, -1, fds, 2, 12, 0, "FILES_UPDATE - 0 -");
	go();
	add(IORING_OP_READ, 12, data, 100, 3, DIRECT, "READ 3 100 plain");
	add(IORING_OP_WRITE, 13, data, 100, 0, DIRECT, "WRITE - 100 appended");
	go();
	/* the kernel chooses, and stores the places over the descriptors */
	add(IORING_OP_FILES_UPDATE, -1, fds, 2, ALLOC, 0, "FILES_UPDATE - 0 -");
	is("files with places of the kernel's choice", go(), 2);
	add(IORING_OP_READ, fds[0], data, 100, 3, DIRECT, "READ 3 100 plain");
	add(IORING_OP_WRITE, fds[1], data, 100, 0, DIRECT, "WRITE - 100 appended");
	go();
	sqe = add(IORING_OP_CLOSE, 0, NULL, 0, 0, 0, "CLOSE - 0 plain");
	sqe->file_index = 13;
	go();
	add(IORING_OP_READ, 12, data, 100, 3, DIRECT, "READ 3 100 -");
	is("read of none", go(), -EBADF);
}

int main(int argc, char **argv)
{
	struct iovec fixed[2] = { { data, sizeof(data) }, { big, sizeof(big) } };

	if (begin(argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 0) ||
	    call(SYS_io_uring_register, ring, IORING_REGISTER_PROBE, (long)&known, 256) ||
	    call(SYS_io_uring_register, ring, IORING_REGISTER_BUFFERS, (long)fixed, 2) || !has(IORING_OP_SOCKET))
		return 77;
	if (argc > 2) {
		plain = open("plain", O_RDWR | O_CREAT | O_TRUNC, 0600);
		is("a file", ftruncate(plain, 100000), 0);
		copies();
		return bad;
	}
	files();
	names();
	copies();
	waits();
	sockets();
	direct();
	return bad;
}
