/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hostile.c - a program that takes from under the recorder what it stands on,
 * with a known number of calls before and after: hostile HOW NUMBER [ARGUMENT].
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define BASE 500	/* where this program keeps its own file */

static long raw(long nr, long a, long b, long c)
{
	long ret;

	__asm__ __volatile__("syscall" : "=a"(ret) : "0"(nr), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
	return ret;
}

static void calls(int n)
{
	for (int i = 0; i < n; i++)
		if (pwrite(BASE, "abcd", 4, 4L * (i % 1000)) != 4) {
			printf("pwrite: %s\n", strerror(errno));
			return;
		}
}

static void limit(int what, rlim_t to)
{
	struct rlimit rl = { to, to };

	if (setrlimit(what, &rl))
		perror("setrlimit");
}

/* The largest descriptor that is not one of ours: the log's. */
static int log_fd(void)
{
	int max = -1;
	char link[40], to[PATH_MAX];

	for (int fd = 3; fd < 70000; fd++) {
		long n;

		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		n = (long)syscall(SYS_readlink, link, to, sizeof(to) - 1);
		if (n > 0 && (to[n] = 0, strstr(to, ".iotrace")))
			max = fd;
	}
	return max;
}

static int open_until_full(void)
{
	int n = 0;

	while (open("/dev/null", O_RDONLY) >= 0)
		n++;
	printf("%d descriptors: %s\n", n, strerror(errno));
	closefrom(BASE + 1);
	return n;
}

static void descriptors(const char *how)
{
	int fd;

	if (!strcmp(how, "closefrom"))
		closefrom(BASE + 1), close_range(3, BASE - 1, 0);
	if (!strcmp(how, "close_range"))
		printf("close_range: %d\n", close_range(BASE + 1, ~0U, 0));
	if (!strcmp(how, "close-loop"))
		for (fd = 3; fd < 70000; fd++)
			if (fd != BASE)
				close(fd);
	if (!strcmp(how, "syscall-close"))
		for (fd = 3; fd < 70000; fd++)
			if (fd != BASE)
				syscall(SYS_close, fd);
	if (!strcmp(how, "syscall-close_range"))
		syscall(SYS_close_range, BASE + 1, ~0U, 0);
	if (!strcmp(how, "raw-close"))
		raw(SYS_close, log_fd(), 0, 0);
	fd = strstr(how, "dup") ? log_fd() : -1;
	if (!strcmp(how, "dup2") && dup2(BASE, fd >= 0 ? fd : 77) >= 0 && fd >= 0)
		printf("dup2: %zd\n", pwrite(fd, "dup2", 4, 0));
	if (!strcmp(how, "dup3") && dup3(BASE, fd >= 0 ? fd : 77, O_CLOEXEC) >= 0 && fd >= 0)
		printf("dup2: %zd\n", pwrite(fd, "dup3", 4, 0));
	if (!strcmp(how, "raw-dup2")) {
		/* what was written there must not go into the program's file */
		int other = open("other", O_RDWR | O_CREAT, 0644);

		if (fd >= 0)
			raw(SYS_dup2, other, fd, 0);
		calls(20000);
		printf("other: %ld bytes\n", (long)lseek(other, 0, SEEK_END));
	}
	if (!strcmp(how, "fds")) {
		printf("none of the program's: %d\n", fcntl(9, F_GETFD));
		fd = open("/dev/null", O_RDONLY);
		printf("the lowest: %d\n", fd);
	}
	if (!strcmp(how, "nofile-full"))
		open_until_full();
	if (!strcmp(how, "nofile")) {
		limit(RLIMIT_NOFILE, 16);
		printf("open: %d\n", open("/dev/null", O_RDONLY));
		open_until_full();
	}
}

/* Takes the log's descriptor from it and gives its name to something else. */
static void replace(const char *kind, const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	char name[PATH_MAX], moved[PATH_MAX];

	while (d && (e = readdir(d))) {
		if (!strstr(e->d_name, ".iotrace"))
			continue;
		snprintf(name, sizeof(name), "%s/%s", dir, e->d_name);
		snprintf(moved, sizeof(moved), "%s/moved.iotrace", dir);
		if (rename(name, moved) || !strcmp(kind, "gone"))
			continue;
		if ((!strcmp(kind, "symlink") && symlink("../target", name)) ||
		    (!strcmp(kind, "file") && link("../target", name)) ||
		    (!strcmp(kind, "directory") && mkdir(name, 0777)) ||
		    (!strcmp(kind, "fifo") && mkfifo(name, 0666)) ||
		    (!strcmp(kind, "device") && symlink("/dev/tty", name)))
			perror(kind);
		break;
	}
	/* last, so that the log is not opened again by its own name */
	raw(SYS_close, log_fd(), 0, 0);
	if (d)
		closedir(d);
}

static void privileges(const char *how, const char *arg)
{
	if (!strcmp(how, "chroot") && (mkdir("jail", 0777) || chroot("jail") || chdir("/")))
		perror("chroot");
	if (!strcmp(how, "drop") && (setgroups(0, NULL) || setgid(65534) || setuid(65534)))
		perror("setuid");
	if (!strcmp(how, "umask"))
		umask(0777);
	if (!strcmp(how, "fsize"))
		limit(RLIMIT_FSIZE, 300000);
	if (!strcmp(how, "as"))
		limit(RLIMIT_AS, 6 << 20);
	if (!strcmp(how, "rmdir")) {
		char cmd[PATH_MAX + 20];

		snprintf(cmd, sizeof(cmd), "rm -rf '%s'", arg);
		if (system(cmd))
			puts("rm failed");
	}
}

int main(int argc, char **argv)
{
	const char *how = argc > 2 ? argv[1] : "";
	int n = argc > 2 ? atoi(argv[2]) : 0, fd, status;

	if (!strcmp(how, "umask-first"))
		umask(0777);
	if (!strcmp(how, "nofile-soft")) {
		struct rlimit rl;

		getrlimit(RLIMIT_NOFILE, &rl);
		rl.rlim_cur = 1000;
		setrlimit(RLIMIT_NOFILE, &rl);
		argv[1] = "nofile-full";
		execv("/proc/self/exe", argv);
	}
	fd = open("calls", O_RDWR | O_CREAT, 0666);
	if (fd < 0 || dup2(fd, BASE) < 0)
		return 99;
	close(fd);
	calls(n);
	descriptors(how);
	if (!strncmp(how, "replace-", 8) && argc > 3)
		replace(how + 8, argv[3]);
	privileges(how, argc > 3 ? argv[3] : "");
	calls(n);
	/* a child has to make a log of its own, and may be unable to */
	fflush(stdout);
	if (!strcmp(how, "chroot") || !strcmp(how, "drop") || !strcmp(how, "rmdir") || !strcmp(how, "umask")) {
		if (fork() == 0) {
			calls(10);
			_exit(7);
		}
		wait(&status);
		printf("child %d\n", WEXITSTATUS(status));
	}
	calls(n);
	printf("end: %s\n", how);
	return 11;
}
