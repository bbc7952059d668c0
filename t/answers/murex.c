/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * murex.c - a spool is watched; the watch is set anew for each look.
 *
 * build: iocc
 */
#include <err.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOOKS 40000

static volatile double sum;

static void work(int i)
{
	int k;

	for (k = 0; k < 100; k++)
		sum += (double)i / (k + 1);
}

int main(void)
{
	char events[4096];
	int fd = inotify_init1(IN_NONBLOCK), i, watch = 0;

	if (fd < 0 || mkdir("spool", 0777))
		err(1, "spool");
#ifdef FIXED
	watch = inotify_add_watch(fd, "spool", IN_CREATE);
#endif
	for (i = 0; i < LOOKS; i++) {
#ifndef FIXED
		watch = inotify_add_watch(fd, "spool", IN_CREATE); /* FINDING costly anon_inode:inotify */
#endif
		work(i);
		if (i % 1000 == 0 && read(fd, events, sizeof(events)) > 0)
			sum += 1;
#ifndef FIXED
		inotify_rm_watch(fd, watch); /* FINDING costly anon_inode:inotify */
#endif
	}
	return watch < 0;
}
