/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * killed.c - threads that make calls, of which the number tells all values, until
 * somebody kills them: killed BOARD CALLS.  Call i is, by i % 4,
 *	0	pwrite	1 + i % 61 bytes at 64 * i
 *	1	pread	1 + i % 53 bytes at 8 * i
 *	2	open	"file"
 *	3	close	what was opened
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "killed.h"

static struct killed *board;
static int fd;
static uint32_t n_calls;

static int call(uint32_t i, int f)
{
	char buf[64] = { 0 };

	switch (i % 4) {
	case 0:
		return pwrite(fd, buf, 1 + i % 61, 64 * (off_t)i) == 1 + i % 61 ? f : -1;
	case 1:
		return pread(fd, buf, 1 + i % 53, 8 * (off_t)i) >= 0 ? f : -1;
	case 2:
		return open("file", O_RDONLY);
	default:
		return close(f) == 0 ? 0 : -1;
	}
}

static void *thread(void *arg)
{
	long me = (long)arg;
	int f = 0;

	board->thread[me].tid = (uint32_t)syscall(SYS_gettid);
	for (uint32_t i = 0; i < n_calls; i++) {
		f = call(i, f);
		if (f < 0)
			abort();
		__atomic_store_n(&board->thread[me].done, i + 1, __ATOMIC_RELEASE);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[KILLED_THREADS];
	int b = argc == 3 ? open(argv[1], O_RDWR) : -1;

	board = b < 0 ? MAP_FAILED : mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE, MAP_SHARED, b, 0);
	fd = open("file", O_RDWR | O_CREAT, 0644);
	if (board == MAP_FAILED || fd < 0)
		return 99;
	n_calls = (uint32_t)atoi(argv[2]);
	for (long i = 1; i < KILLED_THREADS; i++)
		pthread_create(&t[i], NULL, thread, (void *)i);
	thread(NULL);
	for (int i = 1; i < KILLED_THREADS; i++)
		pthread_join(t[i], NULL);
	return 0;
}
