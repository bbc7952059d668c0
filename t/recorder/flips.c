/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flips.c - a log with all that a log may have: threads that have ended, a forked child,
 * finished blocks, definitions of files and stacks, windows of all sizes.
 * flips [HOW]: kill = it kills itself; exec = it becomes another program; orphan = it ends before
 * its child, which writes on.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void use(const char *name, int n)
{
	char bytes[100] = { 0 };
	int fd = open(name, O_RDWR | O_CREAT, 0644);

	for (int i = 0; i < n; i++)
		if (write(fd, bytes, (size_t)(i % 100)) != i % 100)
			perror(name);
	close(fd);
}

static void *thread(void *arg)
{
	use("thread", 2500);
	return arg;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	pthread_t t;
	int p[2];
	char c;

	if (pthread_create(&t, NULL, thread, NULL) || pthread_join(t, NULL))
		return 1;
	for (int i = 0; i < 100; i++) {
		char name[40];

		snprintf(name, sizeof(name), "file-%d", i);
		use(name, i % 3);
		unlink(name);
	}
	if (fork() == 0) {
		use("child", 100);
		_exit(0);
	}
	wait(NULL);
	use("all", 1500);
	if (!strcmp(how, "kill"))
		kill(getpid(), SIGKILL);
	if (!strcmp(how, "exec"))
		execl("/bin/true", "true", (char *)NULL);
	if (!strcmp(how, "orphan")) {
		if (pipe(p))
			return 1;
		if (fork() == 0) {
			close(p[1]);
			/* until the parent's end is closed by its end */
			if (read(p[0], &c, 1))
				return 1;
			use("orphan", 2500);
		}
	}
	return 0;
}
