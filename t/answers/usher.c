/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * usher.c - two processes take numbers from a file under a lock, and work with each.  Twice one of
 * them stands still while it has the lock, as when another program has the processor; and once the
 * read of a number does.  No line of it is dear by what it does again and again.
 *
 * build: iocc -static
 * with: slow-disk.c
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "slow-disk.h"

#define NUMBERS 160
#define STILL	40000000 /* ns */

static volatile uint64_t sink;

static void lock(int fd, short type)
{
	struct flock l = {.l_type = type, .l_whence = SEEK_SET};

	if (fcntl(fd, F_SETLKW, &l))
		err(1, "numbers");
}

static void work_with(int number)
{
	uint64_t x = (uint64_t)number;

	for (int i = 0; i < 500000; i++)
		x = x * 6364136223846793005u + 1;
	sink = x;
}

static void work(int fd, int me)
{
	const struct timespec still = {.tv_nsec = STILL};
	int number = 0, next;

	slow_disk_from = fd;
	slow_disk_takes = 0;
	while (number < NUMBERS) {
		lock(fd, F_WRLCK);
		slow_disk_to = fd + (number == NUMBERS / 2);
		slow_disk_turns = STILL;
		if (pread(fd, &number, sizeof(number), 0) != sizeof(number))
			err(1, "numbers");
		next = number + 1;
		if (number == 20 + me)
			nanosleep(&still, NULL);
		slow_disk_to = fd;
		if (pwrite(fd, &next, sizeof(next), 0) != sizeof(next))
			err(1, "numbers");
		lock(fd, F_UNLCK);
		work_with(number);
	}
}

int main(void)
{
	int fd = open("numbers", O_RDWR | O_CREAT, 0666), none = 0;

	if (fd < 0 || pwrite(fd, &none, sizeof(none), 0) != sizeof(none))
		err(1, "numbers");
	for (int i = 0; i < 2; i++)
		if (fork() == 0) {
			work(fd, i);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	return close(fd) != 0;
}
