/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thumbnails.c - asks a process, which makes thumbnails, for those of some pictures.
 *
 * build: iocc
 */
#include <err.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PICTURES 40
#define SIZE	 4096

/* Gives others a chance while a picture is not decoded yet; there are none. */
static void pause_between(int picture)
{
#ifdef FIXED
	(void)picture;
#else
	if (picture % 10 == 0)
		poll(NULL, 0, 120); /* FINDING paused|slow poll - */
#endif
}

static void serve(int fd)
{
	static char picture[SIZE];
	int number;

	while (read(fd, &number, sizeof(number)) == sizeof(number)) {
		pause_between(number);
		for (int i = 0; i < SIZE; i++)
			picture[i] = (char)(number + i);
		if (write(fd, picture, SIZE) != SIZE)
			err(1, "thumbnail");
	}
}

static int ask(int fd, int number)
{
	static char picture[SIZE];
	ssize_t n;

	if (write(fd, &number, sizeof(number)) != sizeof(number))
		err(1, "request");
	for (size_t have = 0; have < SIZE; have += (size_t)n) {
		n = read(fd, picture + have, SIZE - have); /* FINDING paused|slow|piped ~socket~ - */
		if (n <= 0)
			err(1, "thumbnail");
	}
	return picture[0];
}

int main(void)
{
	int fd[2], sum = 0;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd))
		err(1, "socketpair");
	if (fork() == 0) {
		close(fd[0]);
		serve(fd[1]);
		_exit(0);
	}
	close(fd[1]);
	for (int i = 0; i < PICTURES; i++)
		sum += ask(fd[0], i); /* FINDING paused|slow|piped ~socket~ - */
	close(fd[0]);
	wait(NULL);
	printf("%d\n", sum);
	return 0;
}
