/* SPDX-License-Identifier: BSD-3-Clause */
/* user.c - what a program says itself: regions, marks, pauses. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

#include "../../include/iotrace.h"
#include "show.h"

int main(void)
{
	int fd = open("f", O_RDWR | O_CREAT | O_TRUNC, 0600);

	iotrace_begin("outer");
	SHOW(write(fd, "abc", 3));
	iotrace_begin("inner");
	iotrace_mark("in the middle");
	SHOW(write(fd, "def", 3));
	iotrace_end("inner");
	iotrace_end(NULL);
	/* strace sees what is done meanwhile, so this is nothing that it is asked for */
	iotrace_pause();
	SHOW(getppid() > 0);
	iotrace_resume();
	SHOW(close(fd));
	return 0;
}
