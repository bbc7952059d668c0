/* SPDX-License-Identifier: BSD-3-Clause */
/* find.h - the log that a running process writes. */
#ifndef CTL_FIND_H
#define CTL_FIND_H

#include <limits.h>

struct ctl_log {
	char path[PATH_MAX]; /* as the process's memory map has it */
	int fd;		     /* open for reading and writing */
};

/* Exits, with a line on stderr, if there is none or it can't be written. */
void ctl_find(const char *pid, struct ctl_log *log);

#endif
