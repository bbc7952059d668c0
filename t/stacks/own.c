/* SPDX-License-Identifier: BSD-3-Clause */
/* own.c - calls beneath the recorder's own functions: callbacks, a thread, a handler of a signal
   that interrupts a call. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

static int fd;

static ssize_t cookie_write(void *cookie, const char *buf, size_t size)
{
	(void)cookie;
	return pwrite(fd, buf, size, 0) < 0 ? 0 : (ssize_t)size;
}

static int visit(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)path, (void)st, (void)flag, (void)ftw;
	return pwrite(fd, "v", 1, 1) != 1;
}

static void *in_thread(void *arg)
{
	return pwrite(fd, "t", 1, 2) == 1 ? arg : NULL;
}

static void handler(int sig)
{
	(void)sig;
	if (pwrite(fd, "h", 1, 3) != 1)
		abort();
}

int main(void)
{
	cookie_io_functions_t io = { .write = cookie_write };
	pthread_t thread;
	FILE *f;

	fd = open("data", O_RDWR | O_CREAT, 0600);
	signal(SIGUSR1, handler);
	f = fopencookie(&fd, "w", io);
	fputs("cookie", f);
	fflush(f);
	fclose(f);
	mkdir("tree", 0700);
	nftw("tree", visit, 4, 0);
	pthread_create(&thread, NULL, in_thread, &fd);
	pthread_join(thread, NULL);
	raise(SIGUSR1);
	kill(getpid(), SIGUSR1);
	close(fd);
	return 0;
}
