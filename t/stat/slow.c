/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slow.c - waits for 0.12 s with poll(), and is kept for as long by a read() of a timer, which
 * is none of what others send.
 */
#include <poll.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

int main(void)
{
	const struct itimerspec in = { .it_value = { .tv_nsec = 120000000 } };
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);
	uint64_t n;

	poll(NULL, 0, 120);
	return fd < 0 || timerfd_settime(fd, 0, &in, NULL) || read(fd, &n, sizeof(n)) != sizeof(n);
}
