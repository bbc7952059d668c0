/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ctl.c - for each byte of standard input, the Nth, the first thread, another one and a
 * forked child each write N bytes, ten times, to a file of their own; then N comes on
 * standard output.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int go[2][2], done[2];

static void work(int fd, int n)
{
	static const char text[64];

	for (int i = 0; i < 10; i++)
		if (write(fd, text, (size_t)n) != n)
			_exit(1);
}

/* Until its pipe is closed. */
static void follow(int which, const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	char n;

	while (read(go[which][0], &n, 1) == 1) {
		work(fd, n);
		if (write(done[1], &n, 1) != 1)
			_exit(1);
	}
}

static void *thread(void *arg)
{
	follow(0, "thread");
	return arg;
}

int main(void)
{
	int fd = open("main", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	char c, n = 0, line[16];
	pthread_t other;
	pid_t child;

	if (pipe(go[0]) || pipe(go[1]) || pipe(done))
		return 1;
	child = fork();
	if (!child) {
		close(go[1][1]);
		close(go[0][1]);
		follow(1, "child");
		return 0;
	}
	if (pthread_create(&other, NULL, thread, NULL))
		return 1;
	while (read(0, &c, 1) == 1) {
		n++;
		work(fd, n);
		if (write(go[0][1], &n, 1) != 1 || write(go[1][1], &n, 1) != 1 || read(done[0], &c, 1) != 1 ||
		    read(done[0], &c, 1) != 1)
			return 1;
		if (write(1, line, (size_t)snprintf(line, sizeof(line), "%d\n", n)) < 2)
			return 1;
	}
	close(go[0][1]);
	close(go[1][1]);
	return pthread_join(other, NULL) || waitpid(child, NULL, 0) != child;
}
