/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * everywhere.c DIRECTORY - what files can do, on whatever file system that is: by memory, a file that has no
 * directory.  Says of each call what the log is to have,
 *	CALL OFFSET SIZE RESULT FILE
 * where - stands for what there is none of, and RESULT is an error's name if it is one: the kernel says what a
 * file system can't do.  Offsets are the kernel's own, by lseek(2) and fstat(2) that are not recorded, or by
 * SEEK_CUR alone.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define PAGE 4096

static char data[4 * PAGE] __attribute__((aligned(PAGE)));
static const char *name;
static int fd;

/* A system call that no wrapper sees. */
static long unseen(long number, long a, long b, long c)
{
	__asm__ volatile("syscall" : "+a"(number) : "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
	return number;
}

static long here(void)
{
	return unseen(SYS_lseek, fd, 0, SEEK_CUR);
}

static long end(void)
{
	struct stat st;

	return unseen(SYS_fstat, fd, (long)&st, 0) ? -1 : st.st_size;
}

static long say(const char *call, long offset, long size, long ret)
{
	char where[24] = "-", much[24] = "-";

	if (offset >= 0)
		snprintf(where, sizeof(where), "%ld", offset);
	if (size >= 0)
		snprintf(much, sizeof(much), "%ld", size);
	if (ret < 0)
		printf("%s %s %s %s %s\n", call, where, much, strerrorname_np(errno), name);
	else
		printf("%s %s %s %ld %s\n", call, where, much, ret, name);
	return ret;
}

static void begin(const char *file, int flags)
{
	name = file;
	fd = open(file, O_RDWR | O_CREAT | flags, 0600);
}

/* At the file's own position, at another, and by vectors. */
static void moves(void)
{
	struct iovec part[2] = { { data, 1000 }, { data + 2000, 500 } };
	long at;

	at = here();
	say("write", at, 3 * PAGE, write(fd, data, 3 * PAGE));
	say("pwrite", 5000, 100, pwrite(fd, data, 100, 5000));
	at = here();
	say("writev", at, 1500, writev(fd, part, 2));
	say("lseek", 500, -1, lseek(fd, 500, SEEK_SET));
	at = here();
	say("read", at, PAGE, read(fd, data, PAGE));
	at = here();
	say("readv", at, 1500, readv(fd, part, 2));
	say("preadv", 12000, 1500, preadv(fd, part, 2, 12000));
	say("pwritev", 100000, 1500, pwritev(fd, part, 2, 100000));
	say("pread", 200000, 10, pread(fd, data, 10, 200000));
}

/* Flags of a call. */
static void flagged(void)
{
	static const int flags[] = { RWF_HIPRI, RWF_DSYNC, RWF_SYNC, RWF_NOWAIT, RWF_APPEND, RWF_APPEND | RWF_DSYNC };
	struct iovec part = { data, 700 };

	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		long at = flags[i] & RWF_APPEND ? end() : 3000;

		say("pwritev2", at, 700, pwritev2(fd, &part, 1, 3000, flags[i]));
	}
	say("preadv2", 100, 700, preadv2(fd, &part, 1, 100, RWF_HIPRI));
	for (int i = 0; i < 2; i++) {
		long at = here();

		say("pwritev2", at, 700, pwritev2(fd, &part, 1, -1, i ? RWF_DSYNC : 0));
	}
}

/* Holes, and what fallocate(2) makes of them. */
static void holes(void)
{
	static const int modes[] = { 0, FALLOC_FL_KEEP_SIZE, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, FALLOC_FL_ZERO_RANGE,
				     FALLOC_FL_COLLAPSE_RANGE, FALLOC_FL_INSERT_RANGE, FALLOC_FL_UNSHARE_RANGE };
	long at;

	say("ftruncate", -1, 1L << 40, ftruncate(fd, 1L << 40));
	say("ftruncate", -1, 1L << 30, ftruncate(fd, 1L << 30));
	say("pwrite", 1L << 29, PAGE, pwrite(fd, data, PAGE, 1L << 29));
	at = lseek(fd, 1L << 20, SEEK_DATA);
	say("lseek", at, -1, at);
	at = lseek(fd, at < 0 ? 0 : at, SEEK_HOLE);
	say("lseek", at, -1, at);
	at = lseek(fd, 1L << 41, SEEK_DATA);
	say("lseek", -1, -1, at);
	at = here();
	say("read", at, 3 * PAGE, read(fd, data, 3 * PAGE));
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		say("fallocate", 2 * PAGE, PAGE, fallocate(fd, modes[i], 2 * PAGE, PAGE));
	at = lseek(fd, -PAGE, SEEK_END);
	say("lseek", at, -1, at);
	at = here();
	say("read", at, 3 * PAGE, read(fd, data, 3 * PAGE));
	say("ftruncate", -1, 0, ftruncate(fd, 0));
	at = here();
	say("write", at, 10, write(fd, data, 10));
}

/* All that is written goes to the end, wherever the position is. */
static void appended(void)
{
	long at = end();

	say("write", at, 300, write(fd, data, 300));
	say("lseek", 10, -1, lseek(fd, 10, SEEK_SET));
	at = end();
	say("pwrite", at, 200, pwrite(fd, data, 200, 5));
	at = here();
	say("read", at, 50, read(fd, data, 50));
	at = end();
	say("write", at, 300, write(fd, data, 300));
}

/* A second file with blocks of the first. */
static void shared(int from)
{
	loff_t in = PAGE, out = 4 * PAGE;
	long ret;

	say("ioctl", -1, -1, ioctl(fd, FICLONE, from));
	ret = copy_file_range(from, &in, fd, &out, PAGE, 0);
	name = "plain";
	say("copy_file_range", PAGE, PAGE, ret);
	name = "copy";
	say("pread", 4 * PAGE, PAGE, pread(fd, data, PAGE, 4 * PAGE));
}

int main(int argc, char **argv)
{
	int plain;

	if (argc < 2)
		return 99;
	if (!strcmp(argv[1], "memory")) {
		name = "memfd:plain";
		fd = memfd_create("plain", 0);
		if (fd < 0)
			return 77;
		moves();
		holes();
		return 0;
	}
	if (chdir(argv[1]))
		return 98;
	begin("plain", O_TRUNC);
	if (fd < 0)
		return 97;
	moves();
	flagged();
	plain = fd;
	begin("copy", O_TRUNC);
	shared(plain);
	begin("holes", O_TRUNC);
	holes();
	begin("appended", O_TRUNC | O_APPEND);
	appended();
	begin("synchronous", O_TRUNC | O_SYNC);
	moves();
	begin("datasync", O_TRUNC | O_DSYNC);
	moves();
	begin("direct", O_TRUNC | O_DIRECT);
	if (fd < 0)
		return 0;
	say("pwrite", 0, 2 * PAGE, pwrite(fd, data, 2 * PAGE, 0));
	say("pread", PAGE, PAGE, pread(fd, data, PAGE, PAGE));
	say("write", 0, PAGE, write(fd, data, PAGE));
	/* which some file systems refuse */
	say("pread", 10, 100, pread(fd, data + 1, 100, 10));
	return 0;
}
