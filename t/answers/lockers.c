/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lockers.c - adds up readings of many meters, each in a file of its own.  Some meters report by
 * turns, and others take their places as time goes on.  The files that were used last stay open, 32
 * of them.  One that has to give way is closed.
 *
 * build: iocc -static
 * input: mkdir lockers; for i in $(seq 0 223); do head -c 512K /dev/zero >lockers/$i; done
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define METERS 200
#define TOGETHER 24
#define KEPT 32
#define REPORTS 2400
#define SIZE 16384

static struct kept {
	int meter, fd;
	unsigned long used;
} kept[KEPT];

static char reading[SIZE];
static off_t at[METERS + TOGETHER];

static int open_meter(int meter)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "lockers/%d", meter);
	fd = open(path, O_RDONLY); /* FINDING leaked lockers lockers/~ */
	if (fd < 0)
		err(1, "%s", path);
	return fd;
}

/* The meter's descriptor, which may be open. */
static int descriptor(int meter)
{
	static unsigned long now;
	struct kept *oldest = kept;

	now++;
	for (struct kept *k = kept; k < kept + KEPT; k++) {
		if (k->used && k->meter == meter) {
			k->used = now;
			return k->fd;
		}
		if (k->used < oldest->used)
			oldest = k;
	}
#ifdef FIXED
	if (oldest->used)
		close(oldest->fd);
#endif
	*oldest = (struct kept){meter, open_meter(meter), now};
	return oldest->fd;
}

int main(void)
{
	unsigned long sum = 0;

	srand(1);
	for (int i = 0; i < REPORTS; i++) {
		int meter = i / (REPORTS / METERS) + rand() % TOGETHER;

		if (pread(descriptor(meter), reading, SIZE, at[meter]) != SIZE)
			err(1, "meter %d", meter);
		at[meter] += SIZE;
		for (int j = 0; j < SIZE; j++)
			sum += (unsigned char)reading[j];
	}
	printf("%lu\n", sum);
	return 0;
}
