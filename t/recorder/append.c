/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * append.c - writes to files that are opened to be appended to, and of others by which
 * bytes are appended.  Each is of another size, by which t/recorder/append.t knows it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef RWF_APPEND
#define RWF_APPEND 0x10
#endif

static char data[100];
static int line;

static void is(long got, long want, int at)
{
	if (got != want && !line)
		line = at;
}
#define W(call, n) is(call, n, __LINE__)
#define VEC(n) (&(struct iovec){ data, n }), 1

static void at_the_end(int fd, int end)
{
	W(write(end, data, 1), 1);
	W(pwrite(end, data, 2, 0), 2);
	W(pwritev(end, VEC(3), 5), 3);
	W(pwritev2(end, VEC(4), 1, 0), 4);
	W(pwritev2(end, VEC(5), -1, 0), 5);
	W(pwritev2(end, VEC(6), -1, RWF_APPEND), 6);
	W(write(fd, data, 7), 7);
	W(pwritev2(fd, VEC(8), -1, RWF_APPEND), 8);
	W(write(fd, data, 9), 9);
	/* not to the offset that it is given */
	W(pwritev2(fd, VEC(11), 3, RWF_APPEND), 11);
	W(pwrite(fd, data, 12, 3), 12);
}

static void now_and_then(int fd)
{
	int other = dup(fd);

	W(fcntl(fd, F_SETFL, O_APPEND), 0);
	W(pwrite(other, data, 13, 0), 13);
	W(write(fd, data, 14), 14);
	W(fcntl(other, F_SETFL, 0), 0);
	W(pwrite(fd, data, 15, 1), 15);
	W(lseek(fd, 0, SEEK_SET), 0);
	W(write(fd, data, 16), 16);
	close(other);
}

static void by_several(const char *name, int fd, int end)
{
	int again = dup(end), other = open(name, O_WRONLY | O_APPEND), status;
	pid_t pid;

	W(write(again, data, 17), 17);
	pid = fork();
	if (pid == 0)
		_exit(write(end, data, 18) != 18);
	waitpid(pid, &status, 0);
	W(status, 0);
	W(write(end, data, 19), 19);
	W(syscall(SYS_pwrite64, end, data, 20L, 0L), 20);
	W(syscall(SYS_pwritev2, fd, VEC(21), -1L, 0L, RWF_APPEND), 21);
	W(write(other, data, 22), 22);
	W(write(end, data, 23), 23);
	W(dup2(end, 0), 0);
	W(write(0, data, 24), 24);
	W(write(other, data, 25), 25);
	W(write(0, data, 26), 26);
}

static void in_child(int fd, int flags)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(fcntl(fd, F_SETFL, flags) != 0);
	waitpid(pid, &status, 0);
	W(status, 0);
}

/* The description of fd, from a message. */
static int passed(int fd)
{
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int))];
	} u = { .head = { CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS } };
	struct msghdr m = { .msg_iov = &(struct iovec){ data, 1 }, .msg_iovlen = 1, .msg_control = &u, .msg_controllen = sizeof(u) };
	int s[2], got = -1;

	memcpy(CMSG_DATA(&u.head), &fd, sizeof(fd));
	W(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
	W(sendmsg(s[0], &m, 0), 1);
	W(recvmsg(s[1], &m, 0), 1);
	memcpy(&got, CMSG_DATA(&u.head), sizeof(got));
	close(s[0]);
	close(s[1]);
	return got;
}

/* Who makes it append, or not, is a child, or uses another descriptor. */
static void by_others(int fd)
{
	int again;

	in_child(fd, O_APPEND);
	W(pwrite(fd, data, 27, 0), 27);
	in_child(fd, 0);
	W(pwrite(fd, data, 28, 5), 28);
	again = passed(fd);
	W(fcntl(again, F_SETFL, O_APPEND), 0);
	W(pwrite(fd, data, 29, 0), 29);
	close(again);
}

/* A file without a name is not the directory that it was made in. */
static void without_name(void)
{
	int fd = open(".", O_RDONLY | O_DIRECTORY), file = open(".", O_WRONLY | O_TMPFILE, 0600);

	close(fd);
	if (file < 0 && (errno == EOPNOTSUPP || errno == EISDIR))
		return;
	W(write(file, data, 30), 30);
	W(write(file, data, 31), 31);
}

int main(void)
{
	int fd = open("file", O_WRONLY | O_CREAT | O_TRUNC, 0666), end = open("file", O_WRONLY | O_APPEND);

	W(write(fd, data, 10), 10);
	at_the_end(fd, end);
	now_and_then(fd);
	by_several("file", fd, end);
	by_others(fd);
	without_name();
	if (line)
		printf("line %d\n", line);
	return line != 0;
}
