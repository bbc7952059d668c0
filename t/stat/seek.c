/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * seek.c - reads, writes, maps and copies files at random places, in threads and a child.
 *
 *	seek SEED FILE FILE COPY
 *
 * The order in which the files are first used does not depend on the seed: the second one is
 * read before the first.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE (1 << 20)
static char buf[65536];
static char **name;

static void move(int fd, unsigned *seed)
{
	size_t size = 1 + (size_t)rand_r(seed) % (rand_r(seed) % 3 ? 5000 : 60000);
	off_t at = rand_r(seed) % SIZE;
	ssize_t n = 0;

	switch (rand_r(seed) % 6) {
	case 0:
		n = pread(fd, buf, size, at);
		break;
	case 1:
		n = pwrite(fd, buf, size, at);
		break;
	case 2:
		n = lseek(fd, at, SEEK_SET);
		break;
	case 3:
		n = write(fd, buf, size);
		break;
	default:
		n = read(fd, buf, size);
	}
	if (n < 0)
		abort();
}

static void *some(void *arg)
{
	unsigned seed = (unsigned)(uintptr_t)arg;
	int i, fd[2] = {open(name[1], O_RDWR), open(name[0], O_RDWR)};

	for (i = 0; i < 60; i++)
		move(fd[(i / 7) & 1], &seed);
	if (mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd[0], 0) == MAP_FAILED)
		abort();
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned seed = argc == 5 ? (unsigned)atoi(argv[1]) : 0;
	pthread_t thread;
	int copy = open(argv[4], O_RDWR | O_CREAT | O_TRUNC, 0666), from, pid;

	name = argv + 2;
	some((void *)(uintptr_t)seed);
	from = open(name[0], O_RDONLY);
	if (sendfile(copy, from, NULL, 5000) != 5000)
		abort();
	pthread_create(&thread, NULL, some, (void *)(uintptr_t)(seed + 1));
	some((void *)(uintptr_t)(seed + 2));
	pthread_join(thread, NULL);
	pid = fork();
	if (!pid) {
		some((void *)(uintptr_t)(seed + 3));
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	return 0;
}
