/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * moving.c - system calls whose memory another thread unmaps and maps again meanwhile: each
 * succeeds or says EFAULT, however the two fall together, and nobody faults.  The recorder
 * looks at what a call was given before it, behind it, or not at all.
 *
 *	moving ROUNDS		says how often which call did neither
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#define PAGE 4096
/* Where nothing comes by itself. */
#define PLACE 0x200000000000UL

/* As the page is when it is there; no call leaves it otherwise. */
struct page {
	char path[16], other[16], bytes[64];
	struct iovec iov[2];
	struct msghdr msg;
	struct sockaddr_un addr;
	struct pollfd fds[2];
	off_t offset;
	int pair[2];
	socklen_t len;
	struct epoll_event event;
	char *argv[2], *env[100];
	fd_set set;
	char out[1024];
};

static struct page *at, *copy;
static volatile bool over;
/* which libc looks at itself */
static struct timespec no_time;
static struct timeval zero;
static char *name[] = { "name", NULL };
static int file, ends[2], sockets[2], poller;

static void fill(struct page *p)
{
	*p = (struct page){
		.path = "f", .other = "none/such", .bytes = "bytes",
		.iov = { { at->bytes, 5 }, { at->out, 5 } },
		.msg = { .msg_iov = at->iov, .msg_iovlen = 1 },
		.addr = { .sun_family = AF_UNIX, .sun_path = "none" },
		.fds = { { .fd = ends[1], .events = POLLOUT } },
		.len = sizeof(struct sockaddr_un),
		.event = { .events = EPOLLIN },
		.argv = { at->path },
	};
	FD_SET(ends[1], &p->set);
	for (size_t i = 0; i + 1 < sizeof(p->env) / sizeof(p->env[0]); i++)
		p->env[i] = at->bytes;
}

/* The page comes and goes; its memory is another one's, with the same in it. */
static void *mover(void *arg)
{
	for (unsigned i = 0; !over; i++) {
		if (i & 1)
			mmap(at, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		else
			munmap(at, PAGE);
		for (volatile unsigned j = 0; j < i % 512; j++)
			;
		if (mremap(memcpy(mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), copy, PAGE),
			   PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, at) == MAP_FAILED)
			exit(97);
		for (volatile unsigned j = 0; j < i % 2048; j++)
			;
	}
	return arg;
}

static long closing(long fd)
{
	int error = errno;

	if (fd >= 0)
		close((int)fd);
	errno = error;
	return fd;
}

/* The errors that it says besides: what its good arguments come to. */
#define CALLS(X)                                                                           \
	X(open, closing(open(at->path, O_RDONLY)), 0)                                      \
	X(open_none, open(at->other, O_RDONLY), ENOENT)                                    \
	X(stat, stat(at->path, (struct stat *)at->out), 0)                                 \
	X(fstat, fstat(file, (struct stat *)at->out), 0)                                   \
	X(statx, statx(AT_FDCWD, at->path, 0, STATX_SIZE, (struct statx *)at->out), 0)     \
	X(statfs, statfs(at->path, (struct statfs *)at->out), 0)                           \
	X(access, access(at->path, R_OK), 0)                                               \
	X(readlink, readlink(at->path, at->out, 100), EINVAL)                              \
	X(rename, rename(at->other, at->path), ENOENT)                                     \
	X(link, link(at->path, at->path), EEXIST)                                          \
	X(mkdir, mkdir(at->path, 0700), EEXIST)                                            \
	X(truncate, truncate(at->path, 38), 0)                                             \
	X(utimensat, utimensat(AT_FDCWD, at->path, (struct timespec[2]){ { 0 } }, 0), 0)   \
	X(getxattr, getxattr(at->path, at->bytes, at->out, 10), EOPNOTSUPP)                \
	X(getcwd, syscall(SYS_getcwd, at->out, 1000), 0)                                   \
	X(chdir, chdir(at->path), ENOTDIR)                                                 \
	X(execve, execve(at->other, at->argv, environ), ENOENT)                            \
	X(environment, execve("none/such", name, at->env), ENOENT)                         \
	X(environment_at, syscall(SYS_execveat, AT_FDCWD, "none/such", name, at->env, 0), ENOENT) \
	X(read, pread(file, at->out, 30, 0), 0)                                            \
	X(write, pwrite(file, at->bytes, 5, 0), 0)                                         \
	X(readv, preadv(file, at->iov + 1, 1, 0), 0)                                       \
	X(writev, pwritev(file, at->iov, 1, 0), 0)                                         \
	X(sendmsg, sendmsg(sockets[0], &at->msg, MSG_DONTWAIT), EAGAIN)                    \
	X(recvmsg, recvmsg(sockets[1], &at->msg, MSG_DONTWAIT), EAGAIN)                    \
	X(send, send(sockets[0], at->bytes, 5, MSG_DONTWAIT), EAGAIN)                      \
	X(recvfrom, recvfrom(sockets[1], at->out, 5, MSG_DONTWAIT, (struct sockaddr *)&at->addr, &at->len), EAGAIN) \
	X(sendto, sendto(sockets[0], at->bytes, 5, MSG_DONTWAIT, (struct sockaddr *)&at->addr, sizeof(at->addr)), ENOENT) \
	X(connect, connect(sockets[0], (struct sockaddr *)&at->addr, sizeof(at->addr)), ENOENT) \
	X(getsockname, getsockname(sockets[0], (struct sockaddr *)at->out, &at->len), 0)   \
	X(setsockopt, setsockopt(sockets[0], SOL_SOCKET, SO_PASSCRED, &at->pair, sizeof(int)), 0) \
	X(pipe, pipe(at->pair) ? -1 : 0, 0)                                                \
	X(poll, poll(at->fds, 1, 0), 0)                                                    \
	X(ppoll, ppoll(at->fds, 1, &no_time, NULL), 0)                                     \
	X(select, select(64, NULL, &at->set, NULL, &zero), 0)                              \
	X(epoll_ctl, epoll_ctl(poller, EPOLL_CTL_MOD, ends[0], &at->event), 0)             \
	X(epoll_wait, epoll_wait(poller, (struct epoll_event *)at->out, 1, 0), 0)          \
	X(copy_file_range, copy_file_range(file, &at->offset, file, NULL, 0, 0), 0)        \
	X(memfd_create, closing(memfd_create(at->path, 0)), 0)                             \
	X(by_number, syscall(SYS_access, at->path, R_OK), 0)

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1000;
	pthread_t thread;
	int total = 0;

	at = mmap((void *)PLACE, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	copy = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	file = open("f", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (file < 0 || write(file, "0123456789\nabcdefghijklmnopqrstuvwxyz\n", 38) != 38 || pipe(ends) ||
	    socketpair(AF_UNIX, SOCK_DGRAM, 0, sockets))
		return 99;
	poller = epoll_create1(0);
	epoll_ctl(poller, EPOLL_CTL_ADD, ends[0], &(struct epoll_event){ 0 });
	fill(copy);
	*at = *copy;
	if (pthread_create(&thread, NULL, mover, NULL))
		return 99;
#define CALL(name, call, also)                                                             \
	{                                                                                  \
		int faults = 0, odd = 0;                                                   \
											   \
		for (int i = 0; i < rounds; i++) {                                         \
			errno = 0;                                                         \
			if ((call) >= 0)                                                   \
				continue;                                                  \
			if (errno == EFAULT)                                               \
				faults++;                                                  \
			else if (errno != (also))                                          \
				odd = errno;                                               \
		}                                                                          \
		printf(#name ": %s\n", odd ? strerror(odd) : "as it should be");           \
		fflush(stdout);                                                            \
		total += faults;                                                           \
	}
	CALLS(CALL)
	over = true;
	pthread_join(thread, NULL);
	fprintf(stderr, "%d\n", total);
	return 0;
}
