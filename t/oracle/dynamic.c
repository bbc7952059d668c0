/* SPDX-License-Identifier: BSD-3-Clause */
/* dynamic.c - calls of which the oracle for dynamic programs is to compare each kind. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	char text[5000];
	FILE *f = fopen("stream", "w+");
	int fd;

	/* beneath fprintf, fclose and fread */
	fprintf(f, "%9000d\n", 1);
	fclose(f);
	f = fopen("stream", "r");
	fread(text, 1, 10, f);
	fclose(f);
	if (fork() == 0)
		_exit(open("missing", O_RDONLY) != -1);
	wait(NULL);
	fd = open("stream", O_RDWR);
	lseek(fd, 100, SEEK_SET);
	read(fd, text, 5);
	close(fd);
	unlink("stream");
	return 0;
}
