/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * work.c - does what iotrace-stat has something to say about, in known numbers.
 *
 *	work		all of it, and ends
 *	work blocked	reads from a pipe that nobody writes to
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void die(const char *what)
{
	perror(what);
	exit(1);
}

/* 1,500 writes of 100 bytes, 20 seeks to where the offset is and 2 elsewhere. */
static void small_writes(void)
{
	char buf[100];
	int i, fd = open("small", O_RDWR | O_CREAT | O_TRUNC, 0600);

	memset(buf, 'x', sizeof(buf));
	for (i = 0; i < 1500; i++)
		if (write(fd, buf, sizeof(buf)) != sizeof(buf))
			die("small");
	for (i = 0; i < 20; i++)
		if (lseek(fd, 0, SEEK_CUR) != 150000)
			die("lseek");
	if (lseek(fd, 100, SEEK_SET) != 100 || lseek(fd, 0, SEEK_SET) != 0)
		die("lseek");
	if (fsync(fd) || fsync(fd) || fsync(fd))
		die("fsync");
	close(fd);
}

/* 2,000 reads of 64 bytes here and there in 8192, all of them several times. */
static void scattered_reads(void)
{
	char buf[64];
	int i, fd = open("small", O_RDONLY);

	for (i = 0; i < 2000; i++)
		if (pread(fd, buf, sizeof(buf), i * 77 % 128 * 64) != sizeof(buf))
			die("pread");
	close(fd);
}

static void opens(void)
{
	int i, fd;

	for (i = 0; i < 12; i++) {
		fd = open("often", O_RDONLY | O_CREAT, 0600);
		if (fd < 0)
			die("often");
		close(fd);
	}
	for (i = 0; i < 30; i++)
		if (open("missing", O_RDONLY) >= 0)
			die("missing");
}

/* 300 lines of 21 bytes through a buffer of 4096: two system calls. */
static __attribute__((noinline)) void lines(void)
{
	FILE *f = fopen("lines", "w");
	int i;

	for (i = 0; i < 300; i++)
		fprintf(f, "line number %8d\n", i); /* lines.here */
	fclose(f);
}

static void *thread(void *unused)
{
	int i, fd = open("thread", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	for (i = 0; i < 10; i++)
		if (write(fd, "ten bytes\n", 10) != 10)
			die("thread");
	close(fd);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t;
	char c;
	int p[2];

	if (argc > 1 && !strcmp(argv[1], "blocked")) {
		if (pipe(p) || write(1, "ready\n", 6) != 6)
			die("pipe");
		return (int)read(p[0], &c, 1);
	}
	small_writes();
	scattered_reads();
	opens();
	lines();
	if (pthread_create(&t, NULL, thread, NULL) || pthread_join(t, NULL))
		die("thread");
	poll(NULL, 0, 120);
	return 0;
}
