/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * larder.c - keeps the newest products in a folder, and removes the oldest: nobody reads most of
 * them, and nothing is wrong with that.
 *
 * build: iocc
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PRODUCTS 400
#define KEPT 100
#define SIZE 20000

static char product[SIZE];

static void name_of(char *name, int i)
{
	snprintf(name, 32, "larder/p%04d", i);
}

static void add(int i)
{
	char name[32];
	int fd;

	name_of(name, i);
	memset(product, i, SIZE);
	fd = open(name, O_WRONLY | O_CREAT, 0600);
	if (fd < 0 || write(fd, product, SIZE) != SIZE)
		exit(1);
	close(fd);
}

int main(void)
{
	char name[32];

	mkdir("larder", 0700);
	for (int i = 0; i < PRODUCTS; i++) {
		add(i);
		if (i < KEPT)
			continue;
		name_of(name, i - KEPT);
		unlink(name);
	}
	return 0;
}
