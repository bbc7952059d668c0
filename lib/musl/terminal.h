/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * terminal.h - streams find out whether they are terminals by an ioctl, and keep
 * to themselves what came of it: so the recorder asks again.
 */
#ifndef IOT_TERMINAL_H
#define IOT_TERMINAL_H

#include <sys/ioctl.h>

#include "inside.h"
#include "sys.h"
#include "desc_ioctl.h"

/* It has been asked for since then. */
static inline void iot_asked_for_terminal(int fd, uint64_t since)
{
	struct winsize size;
	const uint64_t arg[] = { (uint64_t)fd, TIOCGWINSZ, (uintptr_t)&size };

	iot_inline(&IOT_DESC_NAME(ioctl), fd, since, iot_syscall(SYS_ioctl, (long)fd, (long)TIOCGWINSZ, &size), arg);
}

#endif
