/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pool.c - a pool of records in a file, which grows as records come.
 *
 * build: iocc
 */
#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define RECORD	256
#define RECORDS 2000
#define BATCH	64 /* records that are written at once */

static char batch[RECORD * BATCH];
static off_t size;
static int fd;

static void make_room(off_t n)
{
	if (ftruncate(fd, size + n)) /* FINDING grown pool.dat */
		err(1, "pool.dat");
	size += n;
}

static void put(int record)
{
#ifndef FIXED
	make_room(RECORD); /* FINDING grown pool.dat */
#endif
	memset(batch + record % BATCH * RECORD, record, RECORD);
	if (record % BATCH == BATCH - 1 &&
	    pwrite(fd, batch, sizeof(batch), (off_t)(record / BATCH) * (off_t)sizeof(batch)) != sizeof(batch))
		err(1, "pool.dat");
}

int main(void)
{
	fd = open("pool.dat", O_RDWR | O_CREAT | O_TRUNC, 0666);
	if (fd < 0)
		err(1, "pool.dat");
#ifdef FIXED
	make_room((off_t)RECORDS * RECORD);
#endif
	for (int i = 0; i < RECORDS; i++)
		put(i); /* FINDING grown pool.dat */
	return 0;
}
