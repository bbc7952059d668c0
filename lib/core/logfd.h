/* SPDX-License-Identifier: BSD-3-Clause */
/* logfd.h - the log's descriptor and its name: logfd.c. */
#ifndef IOT_LOGFD_H
#define IOT_LOGFD_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler.h"

#pragma GCC visibility push(hidden)

extern char iot_log_path[4096 + 512];
extern int iot_log_near;		/* descriptors from here on are near the log's */
bool iot_log_owns(int fd);
int iot_log_fd(void);
void iot_log_dup2(int fd);
void iot_log_avoid(int fd);
void iot_log_before_fcntl(int cmd, long arg);
void iot_log_before_rights(void);
void iot_log_make_room(uint32_t n);
void iot_log_forked(void);

/* The program was given that number, the lowest that was free. */
static inline void iot_log_reached(int fd)
{
	if (iot_unlikely(fd >= __atomic_load_n(&iot_log_near, __ATOMIC_RELAXED)))
		iot_log_avoid(fd);
}

/* The log's descriptor, if close_range(first, last, flags) would close it; or -1.  Flags that the kernel
   does not know it turns down, and CLOSE_RANGE_CLOEXEC closes nothing. */
static inline int iot_log_in_range(unsigned int first, unsigned int last, unsigned int flags)
{
	const unsigned int at = (unsigned int)iot_log_fd();

	return at >= first && at <= last && !(flags & ~2U) && iot_log_owns((int)at) ? (int)at : -1;
}

/* What needs the log's descriptor, and returns what iot_log_do is to return: 0 or more, or
   -errno.  It may run in another task, with descriptors of that task's own. */
typedef long iot_log_job(int fd, void *arg);
long iot_log_do(iot_log_job *job, void *arg);	/* -IOT_LOST_FD: there is no descriptor */

struct iot_log_use {
	int fd;				/* -1: there is none */
	int slot;
};
struct iot_log_use iot_log_fd_new(int fd);
void iot_log_used(struct iot_log_use use);
void iot_log_fd_forget(void);

#pragma GCC visibility pop

#endif
