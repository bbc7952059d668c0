/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * setups.c - SEED FLAGS [WAY]: random requests to a ring that is made with these flags, without liburing; says
 * in a file maker.PID, or other.PID, what agree.pl compares with the requests of that process.  WAY, how the ring is called:
 *
 *	index		by the index that it is registered with
 *	closed		the same, once its descriptor is closed
 *	passed		in turns with a process that gets it by a message, or takes it out of this one
 *	forked		in turns with a child
 *	thread		by another thread than the one that has made it
 *
 * With -DINSTRUCTION the system calls are made by an instruction of the program's own.
 * Exit status 77: the kernel has no such ring.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "ring.h"

#define BLOCK	 4096u			/* of O_DIRECT */
#define BLOCKS	 16u
#define REQUESTS 200

static char data[8][BLOCKS * BLOCK] __attribute__((aligned(4096)));
static struct iovec vector[8][2];
static uint64_t state;
static int fd;

static unsigned draw(unsigned n)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned)(state >> 33) % n;
}

static void one(unsigned i)
{
	static const struct {
		unsigned opcode;
		const char *name;
	} of[] = { { IORING_OP_WRITE, "WRITE" }, { IORING_OP_READ, "READ" }, { IORING_OP_WRITEV, "WRITEV" },
		   { IORING_OP_READV, "READV" } };
	const unsigned which = draw(4), size = BLOCK * (1 + draw(BLOCKS / 2)), more = BLOCK * draw(BLOCKS / 2);
	const uint64_t offset = BLOCK * draw(1000);
	char what[80];

	vector[i][0] = (struct iovec){ data[i], size };
	vector[i][1] = (struct iovec){ data[i] + size, more };
	snprintf(what, sizeof(what), "%s %llu %u %s", of[which].name, (unsigned long long)offset,
		 which < 2 ? size : size + more, "out");
	add(of[which].opcode, fd, which < 2 ? (void *)data[i] : (void *)vector[i], which < 2 ? size : 2, offset, 0, what);
}

/* Up to eight at once. */
static void requests(int n)
{
	while (n > 0) {
		const unsigned most = 1 + draw(8);

		/* a thread of the kernel's goes to sleep when it has had nothing to do for a while */
		while (p.flags & IORING_SETUP_SQPOLL && n % 20 == 0 && !sleeps())
			usleep(1000);
		for (unsigned i = 0; i < most; i++, n--)
			one(i);
		while (waiting)
			enter(waiting);
	}
}

static void say(const char *who)
{
	char name[40];

	snprintf(name, sizeof(name), "%s.%d", who, (int)getpid());
	if (!freopen(name, "w", stdout))
		exit(4);
}

/* We make requests, and the others, by turns: who may go on is told by a byte. */
static void turns(int with, bool waits)
{
	char byte = 0;

	for (int i = 0; i < 10; i++) {
		if ((waits || i) && read(with, &byte, 1) != 1)
			exit(5);
		requests(REQUESTS / 10);
		if (write(with, &byte, 1) != 1)
			exit(6);
	}
}

/* The ring, and where its queues are in it.  Newer kernels send no rings: then its number is all that is sent. */
static void send_ring(int to)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { .head = { CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS } };
	struct iovec iov[2] = { { &p, sizeof(p) }, { &ring, sizeof(ring) } };
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2, .msg_control = &control, .msg_controllen = sizeof(control) };

	memcpy(CMSG_DATA(&control.head), &ring, sizeof(ring));
	if (sendmsg(to, &msg, 0) < 0 && writev(to, iov, 2) < 0)
		exit(7);
}

/* By its number the ring is taken out of the process that has made it. */
static void receive_ring(int from)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec iov[2] = { { &p, sizeof(p) }, { &ring, sizeof(ring) } };
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2, .msg_control = &control, .msg_controllen = sizeof(control) };

	if (recvmsg(from, &msg, 0) < (long)sizeof(p))
		exit(8);
	if (msg.msg_controllen)
		memcpy(&ring, CMSG_DATA(&control.head), sizeof(ring));
	else
		ring = (int)call(SYS_pidfd_getfd, call(SYS_pidfd_open, getppid(), 0, 0, 0), ring, 0, 0);
	if (ring < 0)
		_exit(77);
	used = ring;
	look();
}

static int pair[2];

static int other(bool receives)
{
	say("other");
	if (receives)
		receive_ring(pair[1]);
	state ^= 1;
	turns(pair[1], true);
	fflush(stdout);
	dprintf(open("calls", O_WRONLY | O_CREAT, 0600), "%u", entered);
	_exit(0);
}

static void *requester(void *way)
{
	requests(REQUESTS);
	return way;
}

static int by_index_of(bool closed)
{
	struct io_uring_rsrc_update index = { .offset = ~0u, .data = (unsigned)ring };

	if (call(SYS_io_uring_register, ring, 20, (long)&index, 1) != 1)
		return 77;
	used = (int)index.offset;
	by_index = 1u << 4;
	return closed ? close(ring) : 0;
}

static bool is(const char *way, const char *name)
{
	return !strcmp(way, name);
}

int main(int argc, char **argv)
{
	const unsigned flags = (unsigned)strtoul(argv[2], NULL, 0);
	const char *way = argc > 3 ? argv[3] : "";
	const bool passed = is(way, "passed"), forked = is(way, "forked");
	pthread_t thread;
	pid_t pid = 1;
	int status = 0;

	state = strtoul(argv[1], NULL, 0);
	fd = open("out", O_RDWR | O_CREAT | (flags & IORING_SETUP_IOPOLL ? O_DIRECT : 0), 0600);
	if (fd < 0)
		return 77;
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		return 11;
	if (passed && !(pid = fork()))
		other(true);
	say("maker");
	p.sq_thread_idle = 5;
	if (begin(flags))
		return 77;
	if (passed)
		send_ring(pair[0]);
	else if (forked && !(pid = fork()))
		other(false);
	if ((is(way, "index") || is(way, "closed")) && by_index_of(is(way, "closed")))
		return 77;
	if (passed || forked)
		turns(pair[0], false);
	else if (!is(way, "thread"))
		requests(REQUESTS);
	else if (pthread_create(&thread, NULL, requester, NULL) || pthread_join(thread, NULL))
		return 12;
	if (pid > 1 && waitpid(pid, &status, 0) != pid)
		return 9;
	if (flags & IORING_SETUP_SQPOLL && !woken)
		return 10;
	return WEXITSTATUS(status);
}
