/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * constellation.c - programs that share a file's bytes, or don't: the first argument says how.
 * Each does the same with and without what orders its accesses (second argument: with or
 * without).
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE 4096
static char buf[2 * SIZE];
static const char *name;
static int with;

static int file(int flags)
{
	return open(name, flags | O_CREAT, 0600);
}

/* A turn that is passed on where iotrace does not see it. */
static void turn(volatile int *whose, int mine)
{
	while (*whose != mine)
		usleep(100);
}

static volatile int *board(void)
{
	return mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static int one(const char *what)
{
	int fd = file(O_RDWR), i, n = strstr(what, "repeatedly") ? 2 : 1;

	for (i = 0; i < n; i++) {
		if (strstr(what, "write") && pwrite(fd, buf, SIZE, 0) != SIZE)
			return 1;
		if (strstr(what, "read") && pread(fd, buf, SIZE, 0) < 0)
			return 1;
	}
	return close(fd);
}

/* A process writes, another reads, which it begins when the other is done. */
static int reads_after(int close_first, int sync)
{
	volatile int *whose = board();
	int fd = file(O_RDWR), other;

	if (fork() == 0) {
		other = close_first ? -1 : file(O_RDONLY);
		*whose = 1;
		turn(whose, 2);
		if (close_first)
			other = file(O_RDONLY);
		_exit(read(other, buf, SIZE) != SIZE);
	}
	turn(whose, 1);
	if (pwrite(fd, buf, SIZE, 0) != SIZE || (sync && fsync(fd)))
		return 1;
	if (close_first)
		close(fd);
	*whose = 2;
	wait(NULL);
	return 0;
}

/* Two processes write: their halves, or all of it. */
static int two_write(int disjoint, int locked)
{
	struct flock l = {.l_type = F_WRLCK}, u = {.l_type = F_UNLCK};
	volatile int *whose = board();
	int k, fd;

	for (k = 0; k < 2; k++) {
		if (fork())
			continue;
		fd = file(O_RDWR);
		turn(whose, k);
		if (locked && fcntl(fd, F_SETLKW, &l))
			_exit(1);
		if (pwrite(fd, buf, SIZE, disjoint ? SIZE * k : 0) != SIZE)
			_exit(2);
		if (locked && fcntl(fd, F_SETLKW, &u))
			_exit(3);
		*whose = k + 1;
		turn(whose, 2);
		_exit(0);
	}
	return wait(NULL) < 0 || wait(NULL) < 0;
}

static int append(void)
{
	volatile int *whose = board();
	int fd = file(O_WRONLY | O_APPEND), i;

	if (fork() == 0) {
		fd = file(O_WRONLY | O_APPEND);
		for (i = 0; i < 3; i++) {
			turn(whose, 1);
			if (write(fd, buf, 100) != 100)
				_exit(1);
			*whose = 0;
		}
		_exit(0);
	}
	for (i = 0; i < 3; i++) {
		turn(whose, 0);
		if (write(fd, buf, 100) != 100)
			return 1;
		*whose = 1;
	}
	wait(NULL);
	return 0;
}

static int forked(void)
{
	volatile int *whose = board();
	int fd = file(O_RDWR), status;

	if (with && pwrite(fd, buf, SIZE, 0) != SIZE)
		return 1;
	if (fork() == 0) {
		if (pread(fd, buf, SIZE, 0) < 0 || pwrite(fd, buf, SIZE, SIZE) != SIZE)
			_exit(1);
		*whose = 1;
		_exit(0);
	}
	if (with)
		wait(&status);
	else
		turn(whose, 1);
	if (!with && pwrite(fd, buf, SIZE, 0) != SIZE)
		return 1;
	return pread(fd, buf, SIZE, SIZE) != SIZE;
}

static volatile int *in_turn;

static void *thread(void *fd)
{
	if (pread(*(int *)fd, buf, SIZE, 0) < 0)
		_exit(1);
	*in_turn = 1;
	if (!with)
		turn(in_turn, 2);
	if (pwrite(*(int *)fd, buf, SIZE, SIZE) != SIZE)
		_exit(1);
	return fd;
}

static int threads(void)
{
	int fd = file(O_RDWR);
	pthread_t t;

	in_turn = board();
	if (with && pwrite(fd, buf, SIZE, 0) != SIZE)
		return 1;
	pthread_create(&t, NULL, thread, &fd);
	if (!with) {
		turn(in_turn, 1);
		if (pwrite(fd, buf, SIZE, 0) != SIZE)
			return 1;
		*in_turn = 2;
	}
	pthread_join(t, NULL);
	return pread(fd, buf, SIZE, SIZE) != SIZE;
}

static int flocks(void)
{
	volatile int *whose = board();
	int k, fd;

	for (k = 0; k < 2; k++) {
		if (fork())
			continue;
		fd = file(O_RDWR);
		turn(whose, k);
		if (with && flock(fd, LOCK_EX))
			_exit(1);
		if (pwrite(fd, buf, SIZE, 0) != SIZE)
			_exit(2);
		/* which unlocks it */
		close(fd);
		*whose = k + 1;
		_exit(0);
	}
	return wait(NULL) < 0 || wait(NULL) < 0;
}

/* More runs than there is room for: backwards, byte by byte. */
#define MANY 100000

static int many(void)
{
	static char all[MANY];
	int fd = file(O_RDWR), i;

	for (i = MANY; i--;)
		if (pwrite(fd, buf, 1, i) != 1)
			return 1;
	close(fd);
	if (fork() == 0)
		_exit(read(file(O_RDONLY), all, MANY) != MANY);
	wait(NULL);
	return 0;
}

static int mapped(void)
{
	int fd = file(O_RDWR);
	char *p;

	if (ftruncate(fd, SIZE))
		return 1;
	if (fork() == 0) {
		p = mmap(NULL, SIZE, PROT_WRITE, MAP_SHARED, fd, 0);
		p[0] = 1;
		_exit(0);
	}
	wait(NULL);
	return pread(fd, buf, SIZE, 0) != SIZE;
}

/* Files one after the other, which may all have one inode. */
static int inodes(void)
{
	char other[4096];
	int i, fd;

	for (i = 0; i < 40; i++) {
		if (fork() == 0) {
			snprintf(other, sizeof(other), "%s.%d", name, i);
			fd = open(other, O_RDWR | O_CREAT | O_EXCL, 0600);
			_exit(write(fd, buf, SIZE) != SIZE || unlink(other));
		}
		wait(NULL);
	}
	return 0;
}

/* One file by two names. */
static int names(void)
{
	char other[4096];
	int fd = file(O_WRONLY);

	snprintf(other, sizeof(other), "%s.link", name);
	if (link(name, other) || write(fd, buf, SIZE) != SIZE)
		return 1;
	if (fork() == 0)
		_exit(read(open(other, O_RDONLY), buf, SIZE) != SIZE);
	wait(NULL);
	return unlink(other);
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[2] : "";
	struct stat st;

	if (argc < 3)
		return 2;
	name = argv[1];
	with = argc > 3 && !strcmp(argv[3], "with");
	if (!strncmp(what, "one", 3))
		return one(what);
	if (!strcmp(what, "metadata"))
		return stat(name, &st) || chmod(name, 0640);
	if (!strcmp(what, "close"))
		return reads_after(with, 0);
	if (!strcmp(what, "sync"))
		return reads_after(0, with);
	if (!strcmp(what, "halves"))
		return two_write(1, 0);
	if (!strcmp(what, "lock"))
		return two_write(0, with);
	if (!strcmp(what, "append"))
		return append();
	if (!strcmp(what, "fork"))
		return forked();
	if (!strcmp(what, "thread"))
		return threads();
	if (!strcmp(what, "flock"))
		return flocks();
	if (!strcmp(what, "inodes"))
		return inodes();
	if (!strcmp(what, "names"))
		return names();
	if (!strcmp(what, "many"))
		return many();
	return !strcmp(what, "mapped") ? mapped() : 4;
}
