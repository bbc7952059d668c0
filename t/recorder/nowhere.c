/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nowhere.c - a program that goes where names lead to nothing: into a directory
 * that is removed, out of its root directory, to where there is no /proc, and so deep
 * that no call tells the directory's name.
 * nowhere HOW
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void use(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT, 0644);

	if (fd < 0)
		printf("%s: %s\n", name, strerror(errno));
	for (int i = 0; fd >= 0 && i < 100; i++)
		if (pwrite(fd, "abc", 3, 3 * i) != 3)
			printf("%s: %s\n", name, strerror(errno));
	close(fd);
}

static void removed(void)
{
	int here = open(".", O_RDONLY | O_DIRECTORY);

	if (mkdir("dir", 0777) || chdir("dir") || rmdir("../dir"))
		perror("dir");
	use("gone");
	use("../outside");
	printf("%d\n", access(".", F_OK));
	if (fchdir(here))
		perror("here");
	use("/tmp/../dev/null");
}

static void rooted(void)
{
	int fd = open("outside", O_RDWR | O_CREAT, 0644);

	if (mkdir("jail", 0777) || chroot("jail"))
		perror("jail");
	use("unreachable");
	if (chdir("/"))
		perror("/");
	use("inside");
	/* inside, there is neither /proc nor the log's directory */
	if (dup2(fd, 9) != 9 || pwrite(9, "abc", 3, 0) != 3)
		perror("dup2");
}

static void no_proc(void)
{
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    umount2("/proc", MNT_DETACH))
		perror("/proc");
	use("unproven");
	if (dup2(open("unproven", O_RDWR), 9) != 9 || pwrite(9, "abc", 3, 0) != 3)
		perror("dup2");
}

static void deep(void)
{
	int here = open(".", O_RDONLY | O_DIRECTORY), in;
	char name[201];

	memset(name, 'd', 200);
	name[200] = 0;
	for (int i = 0; i < 25; i++)
		if (mkdir(name, 0777) || chdir(name))
			perror("deeper");
	use("below");
	if (dup2(open("below", O_RDWR), 9) != 9)
		perror("dup2");
	for (int i = 0; i < 100; i++)
		if (write(9, "abc", 3) != 3)
			perror("below");
	in = open(".", O_RDONLY | O_DIRECTORY);
	if (pwrite(openat(in, "beside", O_RDWR | O_CREAT, 0644), "abc", 3, 0) != 3)
		perror("beside");
	if (fchdir(here))
		perror("here");
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	int status;

	setvbuf(stdout, NULL, _IOLBF, 0);
	use("first");
	if (!strcmp(how, "removed"))
		removed();
	if (!strcmp(how, "rooted"))
		rooted();
	if (!strcmp(how, "no-proc"))
		no_proc();
	if (!strcmp(how, "deep"))
		deep();
	if (fork() == 0) {
		use("child");
		_exit(4);
	}
	wait(&status);
	printf("child: %d\n", WEXITSTATUS(status));
	use("last");
	return 0;
}
