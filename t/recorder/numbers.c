/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * numbers.c - which descriptors a program gets, until it gets none, however it asks.
 *
 *	numbers HOW LIMIT [hard] [user] [again]
 *
 * LIMIT: RLIMIT_NOFILE.  hard: the hard limit, too; user: as a user without privileges;
 * again: a new image, which finds all that.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int first = -1, last = -1;

static void say_range(void)
{
	if (first >= 0)
		printf(" %d-%d", first, last);
	first = -1;
}

/* Ranges of numbers in the order in which they came. */
static bool got(int fd)
{
	if (fd < 0) {
		int err = errno;

		say_range();
		printf(" %s\n", strerrorname_np(err));
		return false;
	}
	if (first >= 0 && fd != last + 1)
		say_range();
	if (first < 0)
		first = fd;
	last = fd;
	return true;
}

static int by_open(void) { return open("/dev/null", O_RDWR | O_CLOEXEC); }
static int by_stream(void) { FILE *f = fopen("/dev/null", "r"); return f ? fileno(f) : -1; }
static int by_dir(void) { DIR *d = opendir("/"); return d ? dirfd(d) : -1; }
static int by_dup(void) { return dup(1); }
static int by_dupfd(void) { return fcntl(1, F_DUPFD_CLOEXEC, 0); }
static int by_event(void) { return eventfd(0, EFD_CLOEXEC); }
static int by_socket(void) { return socket(AF_UNIX, SOCK_STREAM, 0); }
static int by_syscall(void) { return (int)syscall(SYS_eventfd2, 0, 0); }

/* From somewhere on. */
static int from = 40;
static int by_dupfd_from(void) { return fcntl(1, F_DUPFD, from); }
static int by_dup2(void) { return dup2(1, from++); }

static void by_pairs(int (*pair)(int *))
{
	int fd[2];

	while (pair(fd) == 0) {
		got(fd[0]);
		got(fd[1]);
	}
	got(-1);
}

static int by_pipe(int *fd) { return pipe(fd); }
static int by_socketpair(int *fd) { return socketpair(AF_UNIX, SOCK_STREAM, 0, fd); }

static void by_accept(void)
{
	struct sockaddr_un { sa_family_t family; char path[108]; } a = { AF_UNIX, "\0numbers" };
	int l = socket(AF_UNIX, SOCK_STREAM, 0);
	socklen_t len = sizeof(a.family) + 16;
	pid_t pid;

	snprintf(a.path + 1, sizeof(a.path) - 1, "%d", getpid());
	if (bind(l, (struct sockaddr *)&a, len) || listen(l, 100))
		perror("listen");
	pid = fork();
	if (!pid) {
		for (;;)
			connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&a, len);
	}
	while (got(accept(l, NULL, NULL)))
		;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* In messages, as many in each as there can be. */
static void by_message(void)
{
	enum { MOST = 253 };
	union {
		char bytes[CMSG_SPACE(MOST * sizeof(int))];
		struct cmsghdr align;
	} control;
	char byte = 0;
	struct iovec iov = { &byte, 1 };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control };
	int pair[2], fd[MOST];
	bool all = socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0;

	for (int i = 0; i < MOST; i++)
		fd[i] = 0;
	while (all) {
		m.msg_controllen = sizeof(control);
		control.align = (struct cmsghdr){ CMSG_LEN(sizeof(fd)), SOL_SOCKET, SCM_RIGHTS };
		memcpy(CMSG_DATA(&control.align), fd, sizeof(fd));
		if (sendmsg(pair[0], &m, 0) < 0)
			perror("sendmsg");
		m.msg_controllen = sizeof(control);
		if (recvmsg(pair[1], &m, 0) < 0)
			perror("recvmsg");
		for (size_t i = 0; m.msg_controllen && CMSG_LEN((i + 1) * sizeof(int)) <= control.align.cmsg_len; i++)
			got(((int *)CMSG_DATA(&control.align))[i]);
		all = !(m.msg_flags & MSG_CTRUNC);
	}
	errno = EMFILE;
	got(-1);
}

/* The same, up to four of them by one call. */
static void by_messages(void)
{
	enum { MOST = 253, N = 4 };
	static union {
		char bytes[CMSG_SPACE(MOST * sizeof(int))];
		struct cmsghdr align;
	} control[N];
	char byte = 0;
	struct iovec iov = { &byte, 1 };
	struct mmsghdr m[N];
	int pair[2], fd[MOST] = { 0 }, n;
	bool all = socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0;

	/* so that the messages go beyond where the log's is then */
	while (all && got(fd[0] = dup(0)) && fd[0] < 700)
		;
	while (all) {
		for (n = 0; n < N; n++) {
			m[n].msg_hdr = (struct msghdr){ .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control[n],
							.msg_controllen = sizeof(control[n]) };
			control[n].align = (struct cmsghdr){ CMSG_LEN(sizeof(fd)), SOL_SOCKET, SCM_RIGHTS };
			memset(fd, 0, sizeof(fd));
			memcpy(control[n].bytes + CMSG_LEN(0), fd, sizeof(fd));
			/* a user may have only so many in messages */
			if (sendmsg(pair[0], &m[n].msg_hdr, 0) < 0)
				break;
		}
		n = recvmmsg(pair[1], m, N, MSG_DONTWAIT, NULL);
		for (int k = 0; k < n; k++) {
			size_t len = m[k].msg_hdr.msg_controllen ? control[k].align.cmsg_len : 0;

			for (size_t i = 0; CMSG_LEN((i + 1) * sizeof(int)) <= len; i++)
				got(((int *)(void *)(control[k].bytes + CMSG_LEN(0)))[i]);
			all &= !(m[k].msg_hdr.msg_flags & MSG_CTRUNC);
		}
		all &= n > 0;
	}
	errno = EMFILE;
	got(-1);
}

/* What a child has that was forked when a third was in use, and what one that is spawned. */
static void by_children(int limit)
{
	char *argv[] = { "sh", "-c", "for fd in 3 4 5 62 63 64 126 127 128; do "
				     "{ : <&$fd; } 2>/dev/null && printf ' %d' $fd; done; echo", NULL };
	extern char **environ;
	pid_t pid;

	for (int i = 0; i < limit / 3; i++)
		got(by_open());
	fflush(stdout);
	pid = fork();
	if (!pid) {
		while (got(by_open()))
			;
		exit(0);
	}
	waitpid(pid, NULL, 0);
	while (got(by_open()))
		;
	closefrom(5);
	fflush(stdout);
	if (!posix_spawnp(&pid, "sh", NULL, NULL, argv, environ))
		waitpid(pid, NULL, 0);
	while (got(by_open()))
		;
	close_range(10, ~0U, 0);
	while (got(by_open()))
		;
}

/* As bash does for <(COMMAND), a coprocess and its script: the highest that is free. */
static void by_downwards(void)
{
	for (int i = 0; i < 6; i++) {
		int fd = i < 3 ? 63 : 255;

		while (fd > 3 && fcntl(fd, F_GETFD) >= 0)
			fd--;
		got(dup2(1, fd));
	}
	got(by_open());
	say_range();
	putchar('\n');
}

static const struct {
	const char *name;
	int (*one)(void);
	int (*pair)(int *);
	void (*all)(void);
} ways[] = {
	{ "open", by_open, NULL, NULL },     { "fopen", by_stream, NULL, NULL },
	{ "opendir", by_dir, NULL, NULL },   { "dup", by_dup, NULL, NULL },
	{ "dupfd", by_dupfd, NULL, NULL },   { "dupfd-from", by_dupfd_from, NULL, NULL },
	{ "dup2", by_dup2, NULL, NULL },     { "eventfd", by_event, NULL, NULL },
	{ "socket", by_socket, NULL, NULL }, { "syscall", by_syscall, NULL, NULL },
	{ "pipe", NULL, by_pipe, NULL },     { "socketpair", NULL, by_socketpair, NULL },
	{ "accept", NULL, NULL, by_accept }, { "recvmsg", NULL, NULL, by_message },
	{ "recvmmsg", NULL, NULL, by_messages }, { "downwards", NULL, NULL, by_downwards },
};

int main(int argc, char **argv)
{
	bool hard = false, again = false, user = false;
	int limit = argc > 2 ? atoi(argv[2]) : 0;
	struct rlimit rl;

	for (int i = 3; i < argc; i++) {
		hard |= !strcmp(argv[i], "hard");
		user |= !strcmp(argv[i], "user");
		again |= !strcmp(argv[i], "again");
	}
	if (!again)
		close(by_open());
	getrlimit(RLIMIT_NOFILE, &rl);
	rl.rlim_cur = (rlim_t)limit;
	if (hard)
		rl.rlim_max = rl.rlim_cur;
	if (setrlimit(RLIMIT_NOFILE, &rl))
		return 77;
	if (user && setresuid(65534, 65534, 65534))
		return 77;
	if (again) {
		argv[argc - 1] = "";
		execv("/proc/self/exe", argv);
		return 2;
	}
	if (!strcmp(argv[1], "children"))
		by_children(limit);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (strcmp(argv[1], ways[i].name))
			continue;
		while (ways[i].one && got(ways[i].one()))
			;
		if (ways[i].pair)
			by_pairs(ways[i].pair);
		if (ways[i].all)
			ways[i].all();
	}
	getrlimit(RLIMIT_NOFILE, &rl);
	if ((int)rl.rlim_cur != limit)
		printf("the limit is %ld\n", (long)rl.rlim_cur);
	return 0;
}
