/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * posix-kinds.c - files that are not written from one end to the other: direct, synchronous,
 * appended, sparse, cloned, cut, in memory alone.  What a file system can't do fails with and
 * without tracing alike.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "show.h"

/* Linux 6.9 to 6.14, which older headers lack */
#define NOAPPEND  0x20
#define ATOMIC	  0x40
#define DONTCACHE 0x80

#define BLOCK 4096

static char block[16 * BLOCK] __attribute__((aligned(BLOCK)));
static struct iovec iov[2] = {
	{ .iov_base = block, .iov_len = BLOCK },
	{ .iov_base = block + 2 * BLOCK, .iov_len = BLOCK },
};

static void where(int fd)
{
	SHOW(lseek(fd, 0, SEEK_CUR));
}

static void direct(void)
{
	int fd = SHOW(open("direct", O_RDWR | O_CREAT | O_TRUNC | O_DIRECT, 0644));

	SHOW(write(fd, block, 2 * BLOCK));
	SHOW(write(fd, block, 100));
	SHOW(write(fd, block + 1, BLOCK));
	SHOW(pwrite(fd, block, BLOCK, 4 * BLOCK));
	SHOW(pwrite(fd, block, BLOCK, 5));
	SHOW(pwritev(fd, iov, 2, 6 * BLOCK));
	where(fd);
	SHOW(lseek(fd, BLOCK, SEEK_SET));
	SHOW(read(fd, block, 16 * BLOCK));
	SHOW(read(fd, block, BLOCK));
	SHOW(pread(fd, block, BLOCK, 7 * BLOCK));
	SHOW(preadv(fd, iov, 2, 0));
	where(fd);
	/* on and off again */
	SHOW(fcntl(fd, F_SETFL, 0));
	SHOW(pwrite(fd, block, 7, 8 * BLOCK));
	SHOW(fcntl(fd, F_SETFL, O_DIRECT | O_APPEND));
	SHOW(ftruncate(fd, 8 * BLOCK));
	SHOW(write(fd, block, BLOCK));
	where(fd);
	SHOW(close(fd));
}

static void synchronous(void)
{
	int fd = SHOW(open("sync", O_WRONLY | O_CREAT | O_SYNC, 0644));

	SHOW(write(fd, block, 100));
	SHOW(close(fd));
	fd = SHOW(open("sync", O_RDWR | O_DSYNC));
	SHOW(write(fd, block, 10));
	SHOW(pwrite(fd, block, 10, 1000));
	SHOW(read(fd, block, 5));
	SHOW(close(fd));
	fd = SHOW(open("sync", O_RDWR | O_DSYNC | O_DIRECT | O_NOATIME));
	SHOW(pwrite(fd, block, BLOCK, 0));
	SHOW(close(fd));
}

static void flags(void)
{
	int fd = SHOW(open("flags", O_RDWR | O_CREAT | O_TRUNC, 0644));

	SHOW(pwritev2(fd, iov, 2, -1, 0));
	where(fd);
	SHOW(pwritev2(fd, iov, 1, 100, RWF_DSYNC));
	SHOW(pwritev2(fd, iov, 1, 200, RWF_SYNC));
	SHOW(pwritev2(fd, iov, 1, 300, RWF_SYNC | RWF_DSYNC));
	SHOW(pwritev2(fd, iov, 1, 0, RWF_APPEND));
	where(fd);
	SHOW(pwritev2(fd, iov, 1, -1, RWF_APPEND | RWF_DSYNC));
	where(fd);
	SHOW(preadv2(fd, iov, 1, 0, RWF_HIPRI));
	/* what these say depends on what is in the cache, and being written */
	(void)!preadv2(fd, iov, 1, 0, RWF_NOWAIT);
	(void)!preadv2(fd, iov, 1, 4 * BLOCK, RWF_NOWAIT);
	(void)!preadv2(fd, iov, 1, 0, DONTCACHE);
	SHOW(preadv2(fd, iov, 1, 0, ATOMIC));
	SHOW(preadv2(fd, iov, 1, 0, 0x40000000));
	SHOW(close(fd));
	fd = SHOW(open("flags", O_WRONLY | O_APPEND));
	SHOW(pwritev2(fd, iov, 1, 0, 0));
	SHOW(pwritev2(fd, iov, 1, 50, NOAPPEND));
	SHOW(lseek(fd, 70, SEEK_SET));
	SHOW(pwritev2(fd, iov, 1, -1, NOAPPEND));
	where(fd);
	SHOW(write(fd, block, 10));
	where(fd);
	SHOW(close(fd));
}

static void appended(void)
{
	int a = SHOW(open("appended", O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0644));
	int b = SHOW(open("appended", O_RDWR));

	SHOW(write(a, block, 10));
	SHOW(pwrite(b, block, 5, 100));
	SHOW(write(a, block, 7));
	where(a);
	SHOW(lseek(a, 3, SEEK_SET));
	SHOW(read(a, block, 4));
	SHOW(writev(a, iov, 2));
	where(a);
	SHOW(ftruncate(b, 20));
	SHOW(write(a, block, 1));
	where(a);
	SHOW(read(a, block, 4));
	SHOW(fcntl(a, F_SETFL, 0));
	SHOW(lseek(a, 2, SEEK_SET));
	SHOW(write(a, block, 3));
	where(a);
	SHOW(close(a));
	SHOW(close(b));
}

static void sparse(void)
{
	int fd = SHOW(open("sparse", O_RDWR | O_CREAT | O_TRUNC, 0644));

	SHOW(ftruncate(fd, 1L << 40));
	SHOW(pwrite(fd, block, BLOCK, 1L << 30));
	SHOW(lseek(fd, 0, SEEK_DATA));
	SHOW(read(fd, block, BLOCK));
	SHOW(lseek(fd, 1L << 30, SEEK_HOLE));
	SHOW(read(fd, block, 10));
	SHOW(lseek(fd, 1L << 35, SEEK_DATA));
	SHOW(lseek(fd, 1L << 41, SEEK_HOLE));
	SHOW(lseek(fd, -BLOCK, SEEK_END));
	SHOW(read(fd, block, 2 * BLOCK));
	where(fd);
	SHOW(lseek(fd, 1L << 42, SEEK_SET));
	SHOW(read(fd, block, BLOCK));
	SHOW(lseek(fd, 0, 77));
	SHOW(close(fd));
}

static void allocated(void)
{
	int fd = SHOW(open("allocated", O_RDWR | O_CREAT | O_TRUNC, 0644));

	SHOW(fallocate(fd, 0, 0, 16 * BLOCK));
	SHOW(write(fd, block, 16 * BLOCK));
	SHOW(fallocate(fd, FALLOC_FL_KEEP_SIZE, 16 * BLOCK, 4 * BLOCK));
	SHOW(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, BLOCK, 2 * BLOCK));
	SHOW(fallocate(fd, FALLOC_FL_PUNCH_HOLE, BLOCK, 2 * BLOCK));
	SHOW(lseek(fd, 0, SEEK_HOLE));
	SHOW(fallocate(fd, FALLOC_FL_ZERO_RANGE, 4 * BLOCK, BLOCK));
	SHOW(fallocate(fd, FALLOC_FL_ZERO_RANGE | FALLOC_FL_KEEP_SIZE, 15 * BLOCK, 4 * BLOCK));
	SHOW(fallocate(fd, FALLOC_FL_COLLAPSE_RANGE, 0, 4 * BLOCK));
	SHOW(fallocate(fd, FALLOC_FL_COLLAPSE_RANGE, 0, 4));
	SHOW(fallocate(fd, FALLOC_FL_INSERT_RANGE, 4 * BLOCK, 8 * BLOCK));
	SHOW(fallocate(fd, FALLOC_FL_UNSHARE_RANGE, 0, BLOCK));
	SHOW(fallocate(fd, FALLOC_FL_NO_HIDE_STALE, 0, BLOCK));
	SHOW(fallocate(fd, 0, -1, BLOCK));
	SHOW(fallocate(fd, 0, 0, 0));
	CODE(posix_fallocate(fd, 40 * BLOCK, 1));
	SHOW(lseek(fd, 0, SEEK_END));
	SHOW(close(fd));
}

static void cloned(void)
{
	int from = SHOW(open("allocated", O_RDONLY)), to = SHOW(open("cloned", O_RDWR | O_CREAT | O_TRUNC, 0644));
	struct file_clone_range range = { .src_fd = from, .src_length = BLOCK, .dest_offset = 2 * BLOCK };
	off_t in = BLOCK, out = 9;

	SHOW(ioctl(to, FICLONE, from));
	SHOW(ioctl(to, FICLONERANGE, &range));
	SHOW(copy_file_range(from, &in, to, &out, 3 * BLOCK, 0));
	SHOW(in);
	SHOW(out);
	SHOW(copy_file_range(from, NULL, to, &out, BLOCK, 0));
	SHOW(copy_file_range(from, NULL, to, NULL, 100, 0));
	where(from);
	where(to);
	SHOW(copy_file_range(to, NULL, to, NULL, 10, 0));
	SHOW(read(from, block, 10));
	SHOW(close(from));
	SHOW(close(to));
}

static void cut(void)
{
	int fd = SHOW(open("cut", O_RDWR | O_CREAT | O_TRUNC, 0644));

	SHOW(write(fd, block, 1000));
	SHOW(ftruncate(fd, 10));
	where(fd);
	SHOW(read(fd, block, 10));
	SHOW(write(fd, block, 1));
	SHOW(truncate("cut", 5000));
	SHOW(read(fd, block, BLOCK));
	SHOW(truncate("cut", -1));
	SHOW(close(SHOW(open("cut", O_WRONLY | O_TRUNC))));
	SHOW(read(fd, block, BLOCK));
	SHOW(pread(fd, block, BLOCK, 0));
	SHOW(close(fd));
}

static void in_memory(void)
{
	int fd = SHOW(memfd_create("memory", MFD_CLOEXEC | MFD_ALLOW_SEALING));
	int again;

	SHOW(write(fd, block, 100));
	SHOW(pwrite(fd, block, 100, 1000));
	where(fd);
	SHOW(lseek(fd, 50, SEEK_SET));
	SHOW(read(fd, block, BLOCK));
	where(fd);
	SHOW(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, BLOCK));
	again = SHOW(dup(fd));
	SHOW(ftruncate(again, 3 * BLOCK));
	SHOW(read(again, block, 10));
	where(fd);
	SHOW(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_WRITE));
	SHOW(write(fd, block, 1));
	SHOW(ftruncate(fd, 0));
	SHOW(close(again));
	SHOW(close(fd));
	/* of huge pages, which need not be there for that */
	fd = SHOW(memfd_create("huge", MFD_HUGETLB | 21U << 26));
	SHOW(write(fd, block, 1));
	SHOW(read(fd, block, 10));
	SHOW(ftruncate(fd, 1 << 21));
	SHOW(lseek(fd, 0, SEEK_END));
	SHOW(close(fd));
}

int main(void)
{
	direct();
	synchronous();
	flags();
	appended();
	sparse();
	allocated();
	cloned();
	cut();
	in_memory();
	return 0;
}
