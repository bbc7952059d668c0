/* SPDX-License-Identifier: BSD-3-Clause */
/* posix-rw.c - reading, writing, opening and sizes of files. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "show.h"

static char buf[8192];
static struct iovec iov[3] = {
	{ .iov_base = buf, .iov_len = 10 },
	{ .iov_base = buf + 100, .iov_len = 0 },
	{ .iov_base = buf + 200, .iov_len = 30 },
};

static void opening(void)
{
	int fd = SHOW(open("a", O_RDWR | O_CREAT | O_TRUNC, 0644));

	SHOW(open("a", O_RDWR | O_CREAT | O_EXCL, 0600));
	SHOW(open("missing", O_RDONLY));
	SHOW(open(HIDE((char *)NULL), O_RDONLY));
	SHOW(open("a/b", O_RDONLY | O_CLOEXEC));
	SHOW(openat(AT_FDCWD, "a", O_WRONLY | O_APPEND));
	SHOW(openat(99, "a", O_RDONLY));
	SHOW(openat(fd, "a", O_RDONLY));
	SHOW(creat("c", 0640));
	SHOW(creat("missing/c", 0640));
	SHOW(open64("a", O_RDONLY));
	SHOW(openat64(AT_FDCWD, "a", O_RDONLY | O_NOFOLLOW));
	SHOW(creat64("c", 0600));
	SHOW(open(".", O_TMPFILE | O_RDWR, 0600));
	SHOW(close(fd));
	SHOW(close(fd));
	SHOW(close(-1));
	GNU(SHOW(close_range(3, 64, 0)));
	GNU(SHOW(close_range(64, 3, 0)));
	GNU(closefrom(3));
	SHOW(open("a", O_RDONLY));
	GNU(closefrom(3));
}

static void simple(void)
{
	int fd = open("a", O_RDWR | O_TRUNC);

	memset(buf, 'x', sizeof(buf));
	SHOW(write(fd, buf, sizeof(buf)));
	SHOW(write(fd, buf, 0));
	SHOW(write(fd, HIDE((void *)NULL), 10));
	SHOW(write(-1, buf, 10));
	SHOW(lseek(fd, 0, SEEK_SET));
	SHOW(read(fd, buf, 100));
	SHOW(read(fd, buf, sizeof(buf)));
	SHOW(read(fd, buf, 1));
	SHOW(read(fd, HIDE((void *)8), 0));
	SHOW(read(99, buf, 1));
	SHOW(pread(fd, buf, 200, 8100));
	SHOW(pread64(fd, buf, 1, 1 << 20));
	SHOW(pread(fd, buf, 1, -1));
	SHOW(pwrite(fd, buf, 17, 10000));
	SHOW(pwrite64(fd, buf, 1, 5000000000));
	SHOW(pwrite(fd, buf, 17, -5));
	SHOW(lseek(fd, -1, SEEK_END));
	SHOW(lseek64(fd, 0, SEEK_CUR));
	SHOW(lseek(fd, 1, SEEK_DATA));
	SHOW(lseek(fd, -7, SEEK_SET));
	SHOW(lseek(fd, 0, 77));
	SHOW(lseek(77, 0, SEEK_SET));
	close(fd);
}

static void vectors(void)
{
	int fd = open("v", O_RDWR | O_CREAT | O_TRUNC, 0666);

	SHOW(writev(fd, iov, 3));
	SHOW(writev(fd, iov, 0));
	SHOW(writev(fd, iov, HIDE(-1)));
	SHOW(writev(-1, iov, 3));
	SHOW(lseek(fd, 5, SEEK_SET));
	SHOW(readv(fd, iov, 3));
	SHOW(readv(fd, iov, HIDE(5000)));
	SHOW(preadv(fd, iov, 3, 20));
	SHOW(preadv64(fd, iov, 1, 1000));
	SHOW(pwritev(fd, iov, 3, 100));
	SHOW(pwritev64(fd, iov, 2, -2));
	GNU(SHOW(preadv2(fd, iov, 3, 0, 0)));
	GNU(SHOW(preadv64v2(fd, iov, 3, -1, RWF_HIPRI)));
	GNU(SHOW(pwritev2(fd, iov, 3, 0, RWF_SYNC)));
	GNU(SHOW(pwritev2(fd, iov, 3, -1, 0)));
	GNU(SHOW(pwritev64v2(fd, iov, 3, 0, 0x1000)));
	SHOW(lseek(fd, 0, SEEK_CUR));
	close(fd);
}

static void between(void)
{
	int in = open("a", O_RDONLY);
	int out = open("b", O_RDWR | O_CREAT | O_TRUNC, 0600);
	off_t pos = 3;
	loff_t from = 0, to = 100;
	int p[2], q[2];

	SHOW(sendfile(out, in, NULL, 100));
	SHOW(sendfile64(out, in, &pos, 50));
	SHOW(pos);
	SHOW(sendfile(-1, in, NULL, 1));
	SHOW(sendfile(out, -1, &pos, 1));
	SHOW(copy_file_range(in, &from, out, &to, 40, 0));
	SHOW(copy_file_range(in, NULL, out, NULL, 10, 0));
	SHOW(copy_file_range(in, NULL, out, NULL, 10, 77));
	SHOW(pipe(p));
	SHOW(pipe2(q, O_CLOEXEC | O_NONBLOCK));
	from = 10;
	SHOW(splice(in, &from, p[1], NULL, 64, 0));
	SHOW(tee(p[0], q[1], 20, SPLICE_F_NONBLOCK));
	SHOW(tee(in, q[1], 20, 0));
	SHOW(splice(p[0], NULL, out, NULL, 64, SPLICE_F_MOVE));
	SHOW(splice(p[0], &from, out, NULL, 64, 0));
	SHOW(vmsplice(p[1], iov, 3, SPLICE_F_GIFT));
	SHOW(vmsplice(99, iov, 3, 0));
	SHOW(read(q[0], buf, 10));
	SHOW(read(q[0], buf, 100));
	SHOW(read(q[0], buf, 100));
	close(in), close(out);
	close(p[0]), close(p[1]), close(q[0]), close(q[1]);
	SHOW(process_vm_readv(getpid(), iov, 1, &iov[2], 1, 0));
	SHOW(process_vm_readv(getpid(), iov, 1, &iov[2], 1, 99));
	SHOW(process_vm_writev(getpid(), iov, 1, &iov[2], 1, 0));
	SHOW(process_vm_writev(-1, iov, 1, &iov[2], 1, 0));
}

static void sizes(void)
{
	int fd = open("s", O_RDWR | O_CREAT | O_TRUNC, 0600);
	int p[2];

	(void)!pipe(p);
	SHOW(ftruncate(fd, 10000));
	SHOW(ftruncate64(fd, 20000));
	SHOW(ftruncate(fd, -1));
	SHOW(ftruncate(-1, 1));
	SHOW(truncate("s", 5000));
	SHOW(truncate64("missing", 5000));
	SHOW(truncate("s", -1));
	CODE(posix_fallocate(fd, 0, 20000));
	CODE(posix_fallocate64(fd, -1, 10));
	CODE(posix_fallocate(p[0], 0, 10));
	SHOW(fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 40000));
	SHOW(fallocate64(fd, 0, 0, 0));
	SHOW(fallocate(-1, 0, 0, 10));
	CODE(posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL));
	CODE(posix_fadvise64(fd, 0, 0, 99));
	CODE(posix_fadvise(-1, 0, 10, POSIX_FADV_DONTNEED));
	SHOW(readahead(fd, 0, 4096));
	SHOW(readahead(-1, 0, 4096));
	SHOW(fsync(fd));
	SHOW(fsync(-1));
	SHOW(fdatasync(fd));
	SHOW(fdatasync(p[0]));
	SHOW(syncfs(fd));
	SHOW(syncfs(-1));
	SHOW(sync_file_range(fd, 0, 100, SYNC_FILE_RANGE_WRITE));
	SHOW(sync_file_range(fd, 0, 100, 0xff));
	sync();
	SHOW(flock(fd, LOCK_EX));
	SHOW(flock(fd, LOCK_UN | LOCK_NB));
	SHOW(flock(fd, 99));
	SHOW(lockf(fd, F_LOCK, 100));
	SHOW(lockf(fd, F_ULOCK, 0));
	SHOW(lockf(fd, F_TEST, 100));
	SHOW(lockf64(fd, F_TLOCK, 100));
	SHOW(lockf(-1, F_LOCK, 100));
	SHOW(lockf(fd, 99, 100));
	close(fd), close(p[0]), close(p[1]);
}

int main(void)
{
	opening();
	simple();
	vectors();
	between();
	sizes();
	SHOW(close(0));
	return 7;
}
