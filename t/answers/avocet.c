/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * avocet.c - a process tells another each of its steps, through a stream without a buffer; the
 * other takes what there is.
 *
 * build: iocc
 * as: magpie
 */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define STEPS 120000

static FILE *stream(int fd, const char *mode)
{
	FILE *f = fdopen(fd, mode);

#ifndef FIXED
	if (*mode == 'w')
		setvbuf(f, NULL, _IONBF, 0); /* FINDING unbuffered - pipe:~ */
#endif
	return f;
}

static void child(int fd)
{
	FILE *f = stream(fd, "w");

	for (int i = 0; i < STEPS; i++)
		fprintf(f, "step %d of %d\n", i, STEPS); /* FINDING piped - pipe:~ */
	fclose(f);
}

int main(void)
{
	int fds[2], n = 0;
	char line[99];
	FILE *f;

	if (pipe(fds))
		return 1;
	if (!fork()) {
		close(fds[0]);
		child(fds[1]);
		_exit(0);
	}
	close(fds[1]);
	f = stream(fds[0], "r");
	while (fgets(line, sizeof(line), f))
		n++;
	wait(NULL);
	printf("%d\n", n);
	return 0;
}
