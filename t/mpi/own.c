/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * own.c - looks for news itself, as MPI does, while MPI waits for what comes late: 7
 * times with poll, 5 with epoll_wait, 3 with read from an eventfd, in another thread.
 */
#include <mpi.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static void *other(void *arg)
{
	int ends[2], ep, ev = eventfd(0, EFD_NONBLOCK);
	struct epoll_event event = { .events = EPOLLIN };
	struct pollfd p;
	long long word;

	if (pipe(ends))
		return NULL;
	ep = epoll_create1(0);
	epoll_ctl(ep, EPOLL_CTL_ADD, ends[0], &event);
	p = (struct pollfd){ .fd = ends[0], .events = POLLIN };
	for (int i = 0; i < 7; i++)
		poll(&p, 1, 1);
	for (int i = 0; i < 5; i++)
		epoll_wait(ep, &event, 1, 1);
	for (int i = 0; i < 3; i++)
		if (read(ev, &word, sizeof(word)) > 0)
			return NULL;
	close(ep);
	close(ev);
	close(ends[0]);
	close(ends[1]);
	return arg;
}

int main(int argc, char **argv)
{
	int rank, level, fd, byte = 0;
	pthread_t thread;
	void *ret = NULL;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	pthread_create(&thread, NULL, other, &byte);
	for (int i = 0; i < 3; i++) {
		if (!rank)
			usleep(20000);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	pthread_join(thread, &ret);
	if (ret != &byte)
		return 1;
	fd = open(rank ? "own.1" : "own.0", O_WRONLY | O_CREAT, 0644);
	if (write(fd, "x", 1) != 1)
		return 1;
	close(fd);
	MPI_Finalize();
	return 0;
}
