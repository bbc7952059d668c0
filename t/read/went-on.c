/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * went-on.c - follows a log, and stores into its window between a look and the calls
 * that it is asked for, as its thread would.
 *
 *	went-on LOG
 *
 * The window's block can't be copied (the disk is full, IOTRACE_LIMIT), the thread goes on
 * with the next one.  Prints what the reader says, and how many calls it gives.
 */
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "iotrace-format.h"
#include "iotrace/read.h"

static void say(void *arg, enum iotr_severity severity, const char *file, const char *text)
{
	(void)arg;
	(void)file;
	printf("%d: %s\n", severity, text);
}

static void give(struct iotr_follow *f, const char *when)
{
	unsigned n = 0;

	while (iotr_follow_next(f))
		n++;
	printf("%s: %s\n", when, n ? "calls" : "no calls");
}

/* Its only window: where it was in the file, its header. */
static off_t find_window(int fd, struct iot_block *b)
{
	struct stat st;

	if (fstat(fd, &st))
		return -1;
	for (off_t at = 0; at < st.st_size; at += IOT_BLOCK_ALIGN)
		if (pread(fd, b, sizeof(*b), at) == sizeof(*b) && b->magic == IOT_BLOCK_MAGIC &&
		    b->flags & IOT_BLOCK_WINDOW && b->used)
			return at;
	return -1;
}

int main(int argc, char **argv)
{
	struct iotr_follow *f = iotr_follow_new(1000000000, say, NULL);
	int fd = argc == 2 ? open(argv[1], O_RDWR) : -1;
	struct iot_block b;
	uint64_t next;
	off_t at;

	if (fd < 0 || iotr_follow_add(f, argv[1]))
		return 2;
	/* what is there must have been so for a while (MARGIN) */
	usleep(50000);
	iotr_follow_poll(f);
	at = find_window(fd, &b);
	if (at < 0)
		return 3;
	next = (uint64_t)(b.seq + 1) << 32;
	if (pwrite(fd, &next, sizeof(next), at + (off_t)offsetof(struct iot_block, used)) != sizeof(next))
		return 4;
	give(f, "the window went on");
	iotr_follow_poll(f);
	give(f, "again");
	iotr_follow_free(f);
	return 0;
}
