/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place.c - where the bytes of a call were, as the kernel says: which offset, of which file.
 * It goes to the board for Places.pm, which holds the log to it.
 *
 * The kernel is asked past libc, lest the recorder learn from the question.  Under
 * --syscalls it sees that too, but behind the call that the question is about.
 */
#define _GNU_SOURCE
#include "storm.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

bool places;

static long unseen(long number, long a, long b, long c)
{
	long result;

	__asm__ volatile("syscall" : "=a"(result) : "0"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
	return result;
}

/* Where its bytes begin; -1: nobody knows, or it moves none.  given: the offset that it has. */
static long begins(const char *call, int fd, long given, long r)
{
	struct stat st;

	if (r <= 0)
		return -1;
	if (!strcmp(call, "read") || !strcmp(call, "write") || !strcmp(call, "readv") || !strcmp(call, "writev")) {
		long at = unseen(SYS_lseek, fd, 0, SEEK_CUR);

		return at < 0 ? -1 : at - r;
	}
	if (!strcmp(call, "pread") || !strcmp(call, "preadv"))
		return given;
	if (!strcmp(call, "pwrite") || !strcmp(call, "pwritev")) {
		if (!(unseen(SYS_fcntl, fd, F_GETFL, 0) & O_APPEND))
			return given;
		return unseen(SYS_fstat, fd, (long)&st, 0) < 0 ? -1 : st.st_size - r;
	}
	return -1;
}

/* Whether the file's name leads elsewhere: in a mount that lies nowhere (open_tree) names are told
   from its root. */
static bool leads_elsewhere(int fd, const char *path)
{
	struct stat is, named;

	return !unseen(SYS_fstat, fd, (long)&is, 0) && !unseen(SYS_stat, (long)path, (long)&named, 0) &&
	       (is.st_dev != named.st_dev || is.st_ino != named.st_ino);
}

/* After a call on a descriptor. */
void place_tell(const struct op *op, const char *call, int fd, long given, long r)
{
	char name[40], path[300];
	long n;

	/* a child may be where asking fails, or is the end of it */
	if (!places || r < 0 || getpid() != first_process)
		return;
	snprintf(name, sizeof(name), "/proc/thread-self/fd/%d", fd);
	n = unseen(SYS_readlink, (long)name, (long)path, sizeof(path) - 1);
	if (n <= 0 || path[0] != '/')
		return;
	path[n] = 0;
	if (leads_elsewhere(fd, path))
		return;
	/* a file that never had a name: the kernel shows its inode */
	if (strstr(path, "/#"))
		strcpy(strstr(path, "/#"), "/# (deleted)");
	say(op, "place %s %d %ld %ld %s", call, fd, r, begins(call, fd, given, r), path);
}
