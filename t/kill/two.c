/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * two.c - two processes of one log: two BOARD.  The first stops itself, and then makes calls that
 * fill windows; the other makes as many each time that it is asked to on the board.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "two.h"

static void fill_a_window(int fd)
{
	char c;

	for (int i = 0; i < 700; i++)
		if (pread(fd, &c, 1, 0) < 0)
			_exit(98);
}

static void obey(struct two *board, int fd)
{
	while (!__atomic_load_n(&board->over, __ATOMIC_ACQUIRE)) {
		uint32_t asked = __atomic_load_n(&board->asked, __ATOMIC_ACQUIRE);

		if (asked == board->done) {
			sched_yield();
			continue;
		}
		fill_a_window(fd);
		__atomic_store_n(&board->done, asked, __ATOMIC_RELEASE);
	}
}

int main(int argc, char **argv)
{
	int fd = argc == 2 ? open(argv[1], O_RDWR) : -1;
	struct two *board = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	pid_t other;

	if (board == MAP_FAILED)
		return 99;
	other = fork();
	if (other == 0) {
		obey(board, fd);
		return 0;
	}
	fill_a_window(fd);
	raise(SIGSTOP);
	fill_a_window(fd);
	__atomic_store_n(&board->over, 1, __ATOMIC_RELEASE);
	return waitpid(other, NULL, 0) != other;
}
