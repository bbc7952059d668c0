/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lazurite.c - eight threads each take messages from a socket of their own, by one function; the
 * fifth looks for the end of the line by itself.
 *
 * build: iocc -static -pthread
 * as: tracker
 */
#include <err.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define BLOCK 16384
#define BLOCKS 10

static ssize_t block(int fd, char *to)
{
	return recv(fd, to, BLOCK, 0);
}

static ssize_t to_newline(int fd, char *to)
{
	ssize_t n = 0;

	while (n < BLOCK && recv(fd, to + n, 1, 0) == 1) /* FINDING single-bytes socket:~ */
		if (to[n++] == '\n')
			break;
	return n;
}

struct line {
	int fds[2];
	ssize_t (*take)(int, char *);
	long got;
};

static void *taker(void *arg)
{
	struct line *l = arg;
	char to[BLOCK];
	ssize_t n;

	while ((n = l->take(l->fds[0], to)) > 0) /* FINDING single-bytes socket:~ */
		l->got += n;
	return NULL;
}

static void *sender(void *arg)
{
	struct line *l = arg;
	char text[BLOCK];

	memset(text, 'x', sizeof(text));
	for (int i = 79; i < BLOCK; i += 80)
		text[i] = '\n';
	for (int i = 0; i < BLOCKS; i++)
		for (size_t sent = 0; sent < sizeof(text);)
			sent += send(l->fds[1], text + sent, sizeof(text) - sent, 0);
	close(l->fds[1]);
	return NULL;
}

int main(void)
{
	struct line lines[8];
	pthread_t takers[8], senders[8];

	for (int i = 0; i < 8; i++) {
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, lines[i].fds))
			err(1, "socketpair");
		lines[i].got = 0;
		lines[i].take = block;
	}
#ifndef FIXED
	lines[4].take = to_newline;
#else
	(void)to_newline;
#endif
	for (int i = 0; i < 8; i++) {
		pthread_create(&senders[i], NULL, sender, &lines[i]);
		pthread_create(&takers[i], NULL, taker, &lines[i]);
	}
	for (int i = 0; i < 8; i++) {
		pthread_join(senders[i], NULL);
		pthread_join(takers[i], NULL);
		if (lines[i].got != (long)BLOCK * BLOCKS)
			return 1;
	}
	return 0;
}
