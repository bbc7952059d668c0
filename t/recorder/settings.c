/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.c - calls of several families on several paths, in this process and
 * in a child, which may be another program: settings PROGRAM ARGUMENT...
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void posix(void)
{
	int fd = open("keep/raw", O_RDWR | O_CREAT | O_TRUNC, 0644), copy;
	char buf[8];

	for (int i = 1; i <= 5; i++)
		write(fd, "abcde", (size_t)i);
	copy = dup(fd);
	close(fd);
	pread(copy, buf, sizeof(buf), 2);
	printf("read %.8s\n", buf);
	close(copy);
	rename("keep/raw", "drop/raw");
	rename("drop/raw", "keep/again");
	if (open("drop/none", O_RDONLY) < 0)
		printf("no file: %s\n", strerror(errno));
}

static void stdio(void)
{
	FILE *f = fopen("drop/text", "w");

	fprintf(f, "%d lines\n", 17);
	fclose(f);
	f = fopen("keep/text", "w");
	fprintf(f, "%d lines\n", 42);
	fclose(f);
}

static void dir(void)
{
	DIR *d = opendir("drop");
	int n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	printf("%d entries\n", n);
}

static void rest(void)
{
	void *p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int sv[2];

	munmap(p, 4096);
	socketpair(AF_UNIX, SOCK_STREAM, 0, sv);
	send(sv[0], "x", 1, 0);
	close(sv[0]);
	close(sv[1]);
}

static __attribute__((noinline)) void deep(int n)
{
	if (n)
		deep(n - 1);
	else
		rest();
	__asm__ __volatile__("");
}

int main(int argc, char **argv)
{
	int status;

	mkdir("keep", 0777);
	mkdir("drop", 0777);
	posix();
	stdio();
	dir();
	deep(10);
	fflush(stdout);
	if (fork() == 0) {
		int fd = open("keep/child", O_WRONLY | O_CREAT, 0644);

		write(fd, "child", 5);
		close(fd);
		if (argc > 1) {
			execv(argv[1], argv + 1);
			_exit(126);
		}
		_exit(3);
	}
	wait(&status);
	printf("the child's status was %d\n", WEXITSTATUS(status));
	fprintf(stderr, "done\n");
	return 7;
}
