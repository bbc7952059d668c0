/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unpack.c - stores the parts of a model, each in a file of its own, unless it is there.
 *
 * build: iocc -static
 * as: backup
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define PARTS 60
#define SIZE  100000

static char part[SIZE];

static int is_there(const char *name)
{
	struct stat st;

	return !stat(name, &st);
}

static void store(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0666);

	if (fd < 0 || write(fd, part, SIZE) != SIZE || close(fd))
		err(1, "%s", name);
}

int main(void)
{
	char name[40];

	for (int i = 0; i < PARTS; i++) {
		snprintf(name, sizeof(name), "part%d.bin", i);
		if (!is_there(name))
			store(name);
	}
	return 0;
}
