/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deep.c - calls within calls, some forty of them: a stream's function writes to the
 * next stream.  The last one makes calls of all kinds, some of which libc does not
 * come to make.  Says what it sees; that has to be the same with IOTRACE_SYSCALLS.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "say.h"

#define DEPTH 40

static FILE *stream[DEPTH];

static void on_fork(void)
{
	say("about to fork");
}

static void on_signal(int sig)
{
	say("signal %d", sig);
}

static void deepest(void)
{
	int fd = open("/dev/null", O_RDWR), status;
	char c;
	pid_t pid;

	for (int i = 0; i < 5; i++)
		if (write(fd, "x", 1) != 1 || read(fd, &c, 1) != 0 || syscall(SYS_write, fd, "y", 1) != 1)
			_exit(98);
	if (isatty(-1) || !ttyname(-1) != (errno == EBADF) || lseek(-1, 0, SEEK_SET) != -1)
		_exit(97);
	raise(SIGUSR1);
	pid = fork();
	if (!pid)
		_exit(3);
	waitpid(pid, &status, 0);
	say("child: %x", status);
	if (close(fd))
		_exit(96);
}

static ssize_t pass_on(void *cookie, const char *text, size_t n)
{
	FILE **next = (FILE **)cookie + 1;

	if (next == stream + DEPTH) {
		deepest();
		return write(1, text, n) == (ssize_t)n ? (ssize_t)n : -1;
	}
	return fwrite(text, 1, n, *next) == n && fflush(*next) == 0 ? (ssize_t)n : -1;
}

int main(void)
{
	signal(SIGUSR1, on_signal);
	pthread_atfork(on_fork, NULL, NULL);
	for (int i = 0; i < DEPTH; i++)
		stream[i] = fopencookie(stream + i, "w", (cookie_io_functions_t){ .write = pass_on });
	fputs("said\n", stream[0]);
	say("fflush: %d", fflush(stream[0]));
	return 0;
}
