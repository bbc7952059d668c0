/* SPDX-License-Identifier: BSD-3-Clause */
/* begins.c - fills FILE and runs itself N times, with that IOTRACE: begins N [FILE [IOTRACE]] */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void fill(const char *name)
{
	static char some[4096];
	int fd = open(name, O_WRONLY | O_CREAT | O_APPEND, 0666);

	if (fd < 0)
		return;
	while (write(fd, some, sizeof(some)) > 0)
		;
	close(fd);
}

int main(int argc, char **argv)
{
	const int n = argc > 1 ? atoi(argv[1]) : 0;
	int status, good = 0;

	if (!n)
		return puts("one") < 0;
	puts("begins");
	fflush(stdout);
	if (argc > 2)
		fill(argv[2]);
	if (argc > 3)
		setenv("IOTRACE", argv[3], 1);
	for (int i = 0; i < n; i++) {
		const pid_t pid = vfork();

		if (pid == 0) {
			execl(argv[0], argv[0], "0", (char *)NULL);
			_exit(1);
		}
		good += pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
	}
	printf("%d of %d\n", good, n);
	return good != n;
}
