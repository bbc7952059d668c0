/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halite.c - children grind salt; each begins with nothing open.
 *
 * build: iocc -static
 * as: archive
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void clean(void)
{
#ifdef FIXED
	close_range(3, ~0u, 0);
#else
	for (int fd = 3; fd < 20000; fd++)
		close(fd); /* FINDING failed - */
#endif
}

static int grind(int n)
{
	char name[32];
	static char salt[1 << 20];

	clean(); /* FINDING failed - */
	snprintf(name, sizeof(name), "salt.%d", n);
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (fd < 0 || write(fd, salt, sizeof(salt)) != sizeof(salt))
		return 1;
	return close(fd) ? 1 : 0;
}

int main(void)
{
	int bad = 0;

	for (int i = 0; i < 8; i++) {
		pid_t p = fork();
		int status;

		if (p == 0)
			_exit(grind(i));
		if (waitpid(p, &status, 0) != p || status)
			bad++;
	}
	return bad;
}
