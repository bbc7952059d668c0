/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replaced.c - names that stand for a file, then for a pipe or a directory, then for a file again.  Writes to
 * each; says of each write whether its file has offsets, as a regular one: it is at the beginning then.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A write is the first that is made with it. */
static void opened(int fd, const char *name)
{
	struct stat st;

	if (fd < 0 || write(fd, "12345", 5) != 5 || fstat(fd, &st))
		err(1, "%s", name);
	puts(S_ISREG(st.st_mode) ? "0 regular" : "absent other");
}

/* By open(), twice, to write at its end, and by fopen(). */
static void store(const char *name)
{
	for (int i = 0; i < 3; i++) {
		int fd = open(name, i < 2 ? O_RDWR | O_CREAT : O_RDWR | O_APPEND | O_TRUNC, 0600);

		opened(fd, name);
		close(fd);
	}
	FILE *f = fopen(name, "r+");

	if (!f)
		err(1, "%s", name);
	opened(fileno(f), name);
	fclose(f);
}

static void locked(const char *name)
{
	int fd = open(name, O_RDWR);

	if (fd < 0)
		err(1, "%s", name);
	lockf(fd, F_LOCK, 1);
	close(fd);
}

int main(void)
{
	int p[2], fd;

	/* the program's own doing */
	store("name");
	if (unlink("name") || mkfifo("name", 0600))
		return 1;
	store("name");
	if (unlink("name"))
		return 1;
	store("name");
	/* another's */
	if (system("rm name; mkfifo name"))
		return 1;
	store("name");
	locked("name");
	/* by another name of a descriptor */
	store("file");
	fd = open("file", O_RDWR);
	if (dup2(fd, 50) != 50)
		return 1;
	store("/dev/fd/50");
	if (pipe(p) || dup2(p[1], 50) != 50)
		return 1;
	fd = open("/dev/fd/50", O_WRONLY);
	opened(fd, "/dev/fd/50");
	/* by a symbolic link, and by a directory's name */
	if (mkfifo("pipe", 0600) || symlink("file", "link"))
		return 1;
	store("link");
	if (unlink("link") || symlink("pipe", "link"))
		return 1;
	store("link");
	if (mkdir("one", 0700) || mkdir("two", 0700) || mkfifo("two/name", 0600))
		return 1;
	store("one/name");
	if (rename("one", "three") || rename("two", "one"))
		return 1;
	store("one/name");
	/* the other way about: what was a pipe, or a device, at first is a file */
	if (mkfifo("late", 0600))
		return 1;
	store("late");
	if (unlink("late"))
		return 1;
	store("late");
	if (symlink("/dev/null", "sink"))
		return 1;
	store("sink");
	if (unlink("sink"))
		return 1;
	store("sink");
	if (mkdir("spool", 0700))
		return 1;
	for (int i = 0; i < 3; i++)
		close(open("spool", O_RDONLY | O_DIRECTORY));
	if (rmdir("spool"))
		return 1;
	store("spool");
	/* in a child, which has what its parent knows */
	for (int i = 0; i < 4; i++) {
		pid_t child;

		if (unlink("late") || (i % 2 ? mkfifo("late", 0600) : 0))
			return 1;
		fflush(stdout);
		child = i < 2 ? fork() : 0;
		if (!child)
			store("late");
		if (!child && i < 2) {
			fflush(stdout);
			_exit(0);
		}
		if (child > 0 && waitpid(child, NULL, 0) != child)
			return 1;
	}
	return 0;
}
