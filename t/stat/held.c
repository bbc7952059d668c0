/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * held.c - keeps descriptors open, on purpose or not.
 *
 *	held WAY
 *
 * opens files by one line, in the way that is named.  Which of these leave descriptors open that
 *nobody needs any more, held.t knows.
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CACHED 16
#define MANY 200

static int open_one(unsigned number)
{
	char name[32];
	int fd;

	snprintf(name, sizeof(name), "file.%u", number);
	fd = open(name, O_RDWR | O_CREAT, 0600);
	if (fd < 0)
		err(2, "%s", name);
	return fd;
}

static void use(int fd)
{
	if (write(fd, "use", 3) != 3)
		err(2, "write");
}

/* Each file is used as long as it is one of the last, and gives way to another one then.  Of those
   that give way, one in so many is not closed; 0: none. */
static void cache(unsigned first, unsigned forgotten)
{
	int fd[CACHED];
	unsigned i, j;

	for (i = 0; i < MANY; i++) {
		if (i >= CACHED && (!forgotten || i % forgotten))
			close(fd[i % CACHED]);
		fd[i % CACHED] = open_one(first + i);
		for (j = i < CACHED ? 0 : i - CACHED + 1; j <= i; j++)
			use(fd[j % CACHED]);
	}
}

/* All are opened at first.  Then each has its turn, and none is closed. */
static void together(unsigned first, unsigned n)
{
	int fd[MANY];
	unsigned i;

	for (i = 0; i < n; i++)
		fd[i] = open_one(first + i);
	for (i = 0; i < n; i++)
		use(fd[i]);
}

/* One that is needed is no reason for the others. */
static void first_at_the_end(void)
{
	int first = -1;
	unsigned i;

	for (i = 0; i < 40; i++) {
		int fd = open_one(i);

		use(fd);
		first = i ? first : fd;
	}
	use(first);
}

static void *thread(void *first)
{
	cache(*(unsigned *)first, 0);
	return NULL;
}

static void threads(void)
{
	unsigned first[4] = {0, 1000, 2000, 3000}, i;
	pthread_t made[4];

	for (i = 0; i < 4; i++)
		if (pthread_create(&made[i], NULL, thread, &first[i]))
			errx(2, "no thread");
	for (i = 0; i < 4; i++)
		pthread_join(made[i], NULL);
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	unsigned i;

	if (!strcmp(way, "cache"))
		cache(0, 0);
	else if (!strcmp(way, "cache-never-closes"))
		cache(0, 1);
	else if (!strcmp(way, "cache-closes-most"))
		cache(0, 5);
	else if (!strcmp(way, "together"))
		together(0, 40);
	else if (!strcmp(way, "batches"))
		for (i = 0; i < 10; i++)
			together(i * 20, 20);
	else if (!strcmp(way, "each"))
		for (i = 0; i < 40; i++)
			use(open_one(i));
	else if (!strcmp(way, "first-at-the-end"))
		first_at_the_end();
	else if (!strcmp(way, "threads"))
		threads();
	else
		errx(2, "way?");
	return 0;
}
