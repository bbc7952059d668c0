/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * full.c CALLS [MOST] - a program that has all descriptors that it may have, or MOST of them, and goes on:
 * with so many writes, and with calls whose names the recorder has to find out, its child's too.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int put(int fd)
{
	return write(fd, "xy", 2) != 2;
}

static int name(int file, int directory)
{
	pid_t child;
	int status;

	if (dup2(file, directory + 1) < 0 || put(directory + 1) || mkdirat(directory, "sub", 0700) || chdir("sub") ||
	    mkdir("below", 0700) || rename("../named", "renamed") || put(file) || fchmod(file, 0600))
		return 1;
	child = fork();
	if (child == 0)
		_exit(put(file) || mkdir("child", 0700));
	return waitpid(child, &status, 0) != child || status;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0, most = argc > 2 ? atoi(argv[2]) : 1 << 20;
	int file = open("named", O_WRONLY | O_CREAT, 0700), directory = open(".", O_RDONLY | O_DIRECTORY);
	int first = open("/dev/null", O_WRONLY), next;

	do
		next = open("/dev/null", O_RDONLY);
	while (next >= 0 && next < most);
	for (int i = 0; i < n; i++)
		if (write(first, "x", 1) != 1)
			return 1;
	printf("%s\n", next < 0 ? "all" : "most");
	fflush(stdout);
	return name(file, directory);
}
