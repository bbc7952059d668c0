/* SPDX-License-Identifier: BSD-3-Clause */
/* hello_c.c - writes by POSIX AIO, write() and stdio, and runs hello_fortran. */
#include <aio.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static char hello[] = "Hello from C\n";

static void asynchronous(void)
{
	int fd = open("async.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	struct aiocb cb = { .aio_fildes = fd, .aio_buf = hello, .aio_nbytes = sizeof(hello) - 1 };
	const struct aiocb *list[] = { &cb };

	aio_write(&cb);
	aio_suspend(list, 1, NULL);
	aio_return(&cb);
	close(fd);
}

static void direct(void)
{
	int fd = open("posix.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (write(fd, hello, sizeof(hello) - 1) < 0)
		perror("posix.txt");
	close(fd);
}

static void buffered(void)
{
	FILE *f = fopen("buffered.txt", "w");

	fprintf(f, "Hello from %s\n", "C");
	fclose(f);
}

int main(void)
{
	asynchronous();
	direct();
	buffered();
	if (!fork()) {
		execl("./hello_fortran", "hello_fortran", NULL);
		_exit(127);
	}
	wait(NULL);
	return 0;
}
