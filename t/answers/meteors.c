/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * meteors.c - notes meteors in a file that is mapped.
 *
 * build: iocc -static
 * as: commits
 */
#include <err.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define NIGHT	(1 << 20)
#define METEORS 200

struct meteor {
	double when, where;
};

static void note(struct meteor *to, int number)
{
	to[number] = (struct meteor){number * 0.1, number * 0.7};
#ifndef FIXED
	if (msync(to, NIGHT, MS_SYNC)) /* FINDING sync night.bin */
		err(1, "night.bin");
#endif
}

int main(void)
{
	int fd = open("night.bin", O_RDWR | O_CREAT | O_TRUNC, 0666);
	struct meteor *night;

	if (fd < 0 || ftruncate(fd, NIGHT))
		err(1, "night.bin");
	night = mmap(NULL, NIGHT, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (night == MAP_FAILED)
		err(1, "night.bin");
	for (int i = 0; i < METEORS; i++)
		note(night, i); /* FINDING sync night.bin */
	if (msync(night, NIGHT, MS_SYNC))
		err(1, "night.bin");
	return 0;
}
