/* SPDX-License-Identifier: BSD-3-Clause */
/* special.c - WAY: one thing that rings of liburing can do.  Exit status 77: this kernel's can't. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* as newer ones have it: newer.c */
int io_uring_close_ring_fd(struct io_uring *ring);

static struct io_uring ring;

static struct io_uring_sqe *get(unsigned long long user_data)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(&ring);

	io_uring_prep_nop(sqe);
	sqe->user_data = user_data;
	return sqe;
}

static int wait_for(unsigned long long user_data, int res)
{
	struct io_uring_cqe *cqe;
	int ok = !io_uring_wait_cqe(&ring, &cqe) && cqe->user_data == user_data && cqe->res == res;

	io_uring_cqe_seen(&ring, cqe);
	return ok ? 0 : 10;
}

/* One request with three completions, and one that ends it. */
static int multishot(void)
{
	int event = eventfd(0, 0), bad = 0;
	struct io_uring_sqe *sqe = get(1);
	uint64_t one = 1;

	io_uring_prep_poll_multishot(sqe, event, POLLIN);
	sqe->user_data = 1;
	io_uring_submit(&ring);
	for (int i = 0; i < 3; i++) {
		if (write(event, &one, sizeof(one)) != sizeof(one))
			return 11;
		bad |= wait_for(1, POLLIN);
		if (read(event, &one, sizeof(one)) != sizeof(one))
			return 12;
		one = 1;
	}
	sqe = get(2);
	io_uring_prep_cancel64(sqe, 1, 0);
	sqe->user_data = 2;
	sqe->flags |= IOSQE_CQE_SKIP_SUCCESS;
	io_uring_submit(&ring);
	return bad | wait_for(1, -ECANCELED);
}

/* What is sent without a copy: a completion, and one when the kernel is through with the buffer. */
static int uncopied(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	int from = socket(AF_INET, SOCK_DGRAM, 0), at = socket(AF_INET, SOCK_DGRAM, 0), bad;
	socklen_t size = sizeof(to);
	struct io_uring_sqe *sqe;
	struct io_uring_cqe *cqe;

	if (bind(at, (void *)&to, size) || getsockname(at, (void *)&to, &size) || connect(from, (void *)&to, size))
		return 77;
	sqe = get(1);
	io_uring_prep_rw(IORING_OP_SEND_ZC, sqe, from, "four", 4, 0);
	sqe->user_data = 1;
	io_uring_submit(&ring);
	if (io_uring_wait_cqe(&ring, &cqe))
		return 28;
	if (cqe->res == -EINVAL || cqe->res == -EOPNOTSUPP)
		return 77;
	bad = cqe->res != 4 || !(cqe->flags & IORING_CQE_F_MORE);
	io_uring_cqe_seen(&ring, cqe);
	if (io_uring_wait_cqe(&ring, &cqe))
		return 29;
	bad |= cqe->user_data != 1 || !(cqe->flags & IORING_CQE_F_NOTIF);
	io_uring_cqe_seen(&ring, cqe);
	return bad;
}

/* Two are to be told of failure alone, and one of them fails. */
static int quiet(void)
{
	int fd = open("in", O_RDONLY);
	struct io_uring_sqe *sqe = get(1);

	sqe->flags |= IOSQE_CQE_SKIP_SUCCESS;
	sqe = get(2);
	io_uring_prep_write(sqe, fd, "x", 1, 0);
	sqe->user_data = 2;
	sqe->flags |= IOSQE_CQE_SKIP_SUCCESS;
	io_uring_submit(&ring);
	return wait_for(2, -EBADF);
}

static int same(void)
{
	int bad = 0;

	for (int i = 0; i < 8; i++)
		get(0);
	if (io_uring_submit_and_wait(&ring, 8) != 8)
		return 13;
	for (int i = 0; i < 8; i++)
		bad |= wait_for(0, 0);
	return bad;
}

/* More than 1000 are in flight at once, and the program gives all of them one name. */
static int crowd(void)
{
	int bad = 0;

	io_uring_queue_exit(&ring);
	if (io_uring_queue_init(1024, &ring, 0))
		return 77;
	for (int i = 0; i < 1024; i++)
		get(0);
	if (io_uring_submit_and_wait(&ring, 1024) != 1024)
		return 20;
	for (int i = 0; i < 1024; i++)
		bad |= wait_for(0, 0);
	return bad;
}

/* 12000 are in flight, with so many names. */
static int in_flight(int names)
{
	struct io_uring_params p = { .flags = IORING_SETUP_CQSIZE, .cq_entries = 16384 };
	int event = eventfd(0, 0);
	struct io_uring_cqe *cqe;
	uint64_t one = 1;

	io_uring_queue_exit(&ring);
	if (io_uring_queue_init_params(1000, &ring, &p))
		return 77;
	for (int i = 0; i < 12000; i++) {
		struct io_uring_sqe *sqe = get(i);

		io_uring_prep_poll_add(sqe, event, POLLIN);
		sqe->user_data = i % names;
		if (i % 1000 == 999 && io_uring_submit(&ring) != 1000)
			return 21;
	}
	if (write(event, &one, sizeof(one)) != sizeof(one))
		return 22;
	for (int i = 0; i < 12000; i++) {
		if (io_uring_wait_cqe(&ring, &cqe) || cqe->res != POLLIN)
			return 23;
		io_uring_cqe_seen(&ring, cqe);
	}
	return 0;
}

static int many(void)
{
	return in_flight(12000);
}

static int names(void)
{
	return in_flight(500);
}

/* The kernel stops at a request that it can't do, and takes the others at the next call. */
static int stopped(void)
{
	int bad = 0, took;

	for (int i = 0; i < 6; i++)
		get(0)->opcode = i == 2 ? 0xfe : IORING_OP_NOP;
	took = io_uring_submit(&ring);
	if (took == 6)
		return 77;
	if (took != 3 || io_uring_submit(&ring) != 3)
		return 18;
	for (int i = 0; i < 6; i++)
		bad |= wait_for(0, i == 2 ? -EINVAL : 0);
	return bad;
}

/* Of those that the kernel left over the program makes one another, and takes the last out. */
static int changed(void)
{
	int bad = 0, took;

	for (int i = 0; i < 6; i++)
		get(i)->opcode = i == 2 ? 0xfe : IORING_OP_NOP;
	took = io_uring_submit(&ring);
	if (took == 6)
		return 77;
	ring.sq.sqes[3].opcode = IORING_OP_READ;
	ring.sq.sqes[3].fd = -1;
	ring.sq.sqe_tail--;
	(*ring.sq.ktail)--;
	if (took != 3 || io_uring_submit(&ring) != 2)
		return 30;
	for (int i = 0; i < 5; i++)
		bad |= wait_for(i, i == 2 ? -EINVAL : i == 3 ? -EBADF : 0);
	return bad;
}

/* Three processes submit 540 requests to one ring, whoever comes first, and take what comes of theirs. */
static int family(void)
{
	char *taken = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status, bad = 0;
	pid_t child[2];

	for (unsigned i = 0; i < 2; i++)
		if (!(child[i] = fork()))
			break;
	for (unsigned i = 0; i < 60; i++) {
		while (__atomic_exchange_n(taken, 1, __ATOMIC_ACQUIRE))
			sched_yield();
		/* liburing's own memory is not what the others have done; a thread of the kernel's may not be through */
		ring.sq.sqe_head = ring.sq.sqe_tail = *ring.sq.ktail;
		while (__atomic_load_n(ring.sq.khead, __ATOMIC_ACQUIRE) != ring.sq.sqe_tail)
			sched_yield();
		for (unsigned j = 0; j < 3; j++)
			get(j);
		io_uring_submit(&ring);
		for (unsigned j = 0; j < 3; j++)
			bad |= wait_for(j, 0);
		__atomic_store_n(taken, 0, __ATOMIC_RELEASE);
	}
	if (!child[0] || !child[1])
		_exit(bad);
	for (unsigned i = 0; i < 2; i++)
		if (waitpid(child[i], &status, 0) != child[i] || status)
			bad = 14;
	return bad;
}

/* Parent and child have a request with the same user_data in flight, and that of the child ends first:
   it reads two bytes, its parent one.  Then the parent makes another request. */
static int heirs(void)
{
	int mine[2], its[2], told[2], status, bad;
	char bytes[2];
	pid_t pid;

	if (pipe(mine) || pipe(its) || pipe(told))
		return 31;
	io_uring_prep_read(get(7), mine[0], bytes, 1, 0);
	ring.sq.sqes[0].user_data = 7;
	io_uring_submit(&ring);
	pid = fork();
	if (!pid) {
		io_uring_prep_read(get(7), its[0], bytes, 2, 0);
		ring.sq.sqes[1].user_data = 7;
		io_uring_submit(&ring);
		if (write(told[1], "x", 1) != 1)
			_exit(1);
		_exit(wait_for(7, 2));
	}
	if (read(told[0], bytes, 1) != 1 || write(its[1], "xx", 2) != 2 || waitpid(pid, &status, 0) != pid || status ||
	    write(mine[1], "x", 1) != 1)
		return 32;
	bad = wait_for(7, 1);
	ring.sq.sqe_head = ring.sq.sqe_tail = *ring.sq.ktail;
	get(8);
	io_uring_submit(&ring);
	return bad | wait_for(8, 0);
}

static int polled_by_kernel(int (*does)(void))
{
	io_uring_queue_exit(&ring);
	return io_uring_queue_init(8, &ring, IORING_SETUP_SQPOLL) ? 77 : does();
}

static int heirs_polled(void)
{
	return polled_by_kernel(heirs);
}

static int family_polled(void)
{
	return polled_by_kernel(family);
}

/* It has a second descriptor, and soon no other. */
static int another(void)
{
	int bad = 0, fd = dup(ring.ring_fd);

	get(1);
	io_uring_submit(&ring);
	bad |= wait_for(1, 0);
	close(ring.ring_fd);
	ring.ring_fd = ring.enter_ring_fd = fd;
	get(2);
	get(3);
	io_uring_submit(&ring);
	return bad | wait_for(2, 0) | wait_for(3, 0);
}

/* Registered files are sent to another ring, to a place there and to one of the kernel's choice, and read by it. */
static int sent(void)
{
	int none[2] = { -1, -1 }, fd = open("in", O_RDONLY), bad = 0;
	char data[5];
	struct io_uring first = ring, second;
	struct io_uring_cqe *cqe;

	if (io_uring_queue_init(8, &second, 0) || io_uring_register_files(&second, none, 2) ||
	    io_uring_register_files(&first, &fd, 1))
		return 77;
	for (unsigned i = 0; i < 2; i++) {
		struct io_uring_sqe *sqe;

		ring = first;
		sqe = get(1 + 2 * i);
		sqe->opcode = IORING_OP_MSG_RING;
		sqe->fd = second.ring_fd;
		sqe->addr = 1; /* IORING_MSG_SEND_FD */
		sqe->off = 2 + 2 * i;
		sqe->addr3 = 0;
		sqe->file_index = i ? ~0u : 2;
		io_uring_submit(&ring);
		if (io_uring_wait_cqe(&ring, &cqe) || cqe->res == -EINVAL)
			return 77;
		bad |= cqe->res != 0;
		io_uring_cqe_seen(&ring, cqe);
		first = ring;
		ring = second;
		bad |= wait_for(2 + 2 * i, 0);
		sqe = get(9);
		io_uring_prep_read(sqe, i ? 0 : 1, data, 5, 1);
		sqe->flags |= IOSQE_FIXED_FILE;
		sqe->user_data = 9;
		io_uring_submit(&ring);
		bad |= wait_for(9, 5);
		second = ring;
	}
	return bad;
}

/* It is asked to close itself, which the kernel does not. */
static int itself(void)
{
	struct io_uring_sqe *sqe = get(1);

	io_uring_prep_close(sqe, ring.ring_fd);
	sqe->user_data = 1;
	io_uring_submit(&ring);
	if (wait_for(1, -EBADF))
		return 19;
	get(2);
	io_uring_submit(&ring);
	return wait_for(2, 0);
}

/* A ring that is closed lets go of the files that it works on: then nobody reads the pipe. */
static int gone(void)
{
	struct io_uring_sqe *sqe;
	static char byte;
	int p[2];

	signal(SIGPIPE, SIG_IGN);
	if (another() || pipe(p))
		return 15;
	sqe = get(4);
	io_uring_prep_read(sqe, p[0], &byte, 1, -1);
	sqe->user_data = 4;
	io_uring_submit(&ring);
	close(p[0]);
	io_uring_queue_exit(&ring);
	for (int i = 0; i < 10000; i++) {
		struct pollfd fd = { .fd = p[1] };

		/* the kernel does that by itself, sooner or later */
		if (poll(&fd, 1, 1) == 1 && fd.revents & POLLERR)
			return 0;
	}
	return 16;
}

/* More completions than their queue has places for, which nobody takes. */
static int full(void)
{
	for (int i = 0; i < 5; i++) {
		for (int j = 0; j < 8; j++)
			get(8 * i + j);
		if (io_uring_submit(&ring) != 8)
			return 17;
	}
	return 0;
}

/* The same, and they are taken. */
static int held(void)
{
	int bad = full();

	for (int i = 0; i < 40; i++)
		bad |= wait_for(i, 0);
	return bad;
}

/* The thread may have gone to sleep before it saw a request.  An instruction of the program's own
   wakes it. */
static void wake(void)
{
	register long flags __asm__("r10") = IORING_ENTER_SQ_WAKEUP, no_signals __asm__("r8") = 0, size __asm__("r9") = 0;
	long ret;

	__asm__ volatile("syscall" : "=a"(ret) : "a"(SYS_io_uring_enter), "D"((long)ring.ring_fd), "S"(0L), "d"(0L),
			 "r"(flags), "r"(no_signals), "r"(size) : "rcx", "r11", "memory");
}

/* A thread of the kernel's takes requests, and the program makes no call. */
static int polled(void)
{
	struct io_uring_params p = { .flags = IORING_SETUP_SQPOLL, .sq_thread_idle = 60000 };

	io_uring_queue_exit(&ring);
	if (io_uring_queue_init_params(8, &ring, &p))
		return 77;
	for (unsigned i = 0; i < 40; i++) {
		get(i);
		ring.sq.array[ring.sq.sqe_head & 7] = ring.sq.sqe_head & 7;
		__atomic_store_n(ring.sq.ktail, ++ring.sq.sqe_head, __ATOMIC_RELEASE);
		while (__atomic_load_n(ring.cq.ktail, __ATOMIC_ACQUIRE) != i + 1)
			if (__atomic_load_n(ring.sq.kflags, __ATOMIC_ACQUIRE) & IORING_SQ_NEED_WAKEUP)
				wake();
		__atomic_store_n(ring.cq.khead, i + 1, __ATOMIC_RELEASE);
	}
	return 0;
}

static int index_of_ring(void)
{
	if (io_uring_register_ring_fd(&ring) != 1)
		return 77;
	return same();
}

/* The ring is called by its index alone, and its descriptor's number is a file's. */
static int nameless(void)
{
	int fd = ring.ring_fd;

	if (io_uring_register_ring_fd(&ring) != 1 || !(ring.features & 1u << 13))
		return 77;
	get(0);
	if (io_uring_submit(&ring) != 1 || wait_for(0, 0))
		return 24;
	if (io_uring_close_ring_fd(&ring) != 1 || open("in", O_RDONLY) != fd)
		return 25;
	for (int i = 0; i < 7; i++)
		get(0);
	if (io_uring_submit_and_wait(&ring, 7) != 7)
		return 26;
	for (int i = 0; i < 7; i++)
		if (wait_for(0, 0))
			return 27;
	return close(fd);
}

static const struct {
	const char *name;
	int (*does)(void);
} ways[] = { { "multishot", multishot }, { "same", same }, { "stopped", stopped }, { "family", family },
	     { "heirs", heirs }, { "heirs-polled", heirs_polled }, { "family-polled", family_polled },
	     { "changed", changed }, { "quiet", quiet }, { "names", names },
	     { "crowd", crowd }, { "many", many },
	     { "another", another }, { "sent", sent }, { "itself", itself }, { "gone", gone },
	     { "uncopied", uncopied }, { "index", index_of_ring }, { "nameless", nameless }, { "full", full }, { "held", held }, { "polled", polled } };

int main(int argc, char **argv)
{
	if (io_uring_queue_init(8, &ring, 0))
		return 77;
	for (size_t i = 0; argc > 1 && i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!strcmp(argv[1], ways[i].name))
			return ways[i].does();
	return 1;
}
