/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge.c - a job whose ranks do different amounts of I/O.
 *
 *	merge HOW
 *
 * Each rank writes rank + 1 times to a file of its own, and all read a common one.
 * HOW: die: the last rank is killed before MPI_Finalize; after: rank 0 goes on with
 * I/O when MPI is finalized; fork: each has a child; many: more than fits a buffer; busy:
 * rank 1 has a thread that writes without a pause while its log is merged, rank 2 one that
 * writes now and then.
 */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void must(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(99);
}

static void put(const char *name, int times)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600), i;

	must(fd >= 0, name);
	for (i = 0; i < times; i++)
		must(write(fd, name, 7) == 7, name);
	close(fd);
}

static volatile int over;

static void *keep_on(void *pause)
{
	const struct timespec moment = { .tv_nsec = 1000 };
	int fd = open("/dev/null", O_WRONLY);

	while (!over) {
		must(write(fd, "x", 1) == 1, "/dev/null");
		if (pause)
			nanosleep(&moment, NULL);
	}
	close(fd);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	const char *how = argc > 1 ? argv[1] : "";
	char name[40], buf[4];
	int rank, size, fd;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	snprintf(name, sizeof(name), "merge-own.%d", rank);
	put(name, strcmp(how, "many") ? rank + 1 : 5000 * (rank + 1));
	fd = open(argv[0], O_RDONLY);
	must(fd >= 0 && pread(fd, buf, 4, 100 * rank) == 4, argv[0]);
	close(fd);
	if (!strcmp(how, "fork")) {
		if (fork() == 0) {
			put("merge-child", 3);
			_exit(0);
		}
		wait(NULL);
	}
	/* what others still do when it dies would be their launcher's choice */
	if (!strcmp(how, "die"))
		MPI_Barrier(MPI_COMM_WORLD);
	if (!strcmp(how, "die") && rank == size - 1)
		raise(SIGKILL);
	if (!strcmp(how, "busy") && rank)
		must(!pthread_create(&thread, NULL, keep_on, rank == 2 ? name : NULL), "pthread_create");
	MPI_Finalize();
	over = 1;
	if (!strcmp(how, "busy") && rank)
		pthread_join(thread, NULL);
	if (!strcmp(how, "after") && rank == 0)
		put("merge-after", 4);
	return 0;
}
