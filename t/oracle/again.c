/* SPDX-License-Identifier: BSD-3-Clause */
/* again.c - executes itself with IOTRACE_SYSCALLS, and without it: each writes a letter. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int again(char *self)
{
	char *argv[] = { self, "child", NULL };
	int status = 1;
	pid_t pid = fork();

	if (pid == 0) {
		execv(self, argv);
		_exit(9);
	}
	return waitpid(pid, &status, 0) != pid || status != 0;
}

int main(int argc, char **argv)
{
	if (write(1, "w", 1) != 1)
		return 2;
	if (argc > 1)
		return 0;
	if (again(argv[0]))
		return 3;
	unsetenv("IOTRACE_SYSCALLS");
	return again(argv[0]);
}
