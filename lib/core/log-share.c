/* SPDX-License-Identifier: BSD-3-Clause */
/* log-share.c - what the processes of a log share: log-share.h. */
#include "log-share.h"

#include "arena.h"
#include "sys.h"

struct iot_share *iot_share;
struct iot_file_header *iot_header;

/* For a log whose first window has its space at first. */
bool iot_share_new(uint64_t first, uint64_t end)
{
	long error;

	iot_share = iot_map_inherited(sizeof(*iot_share), -1, 0, &error);
	if (!iot_share)
		return false;
	iot_share->end = end;
	iot_share->class[0].chunk[0] = first;
	iot_share->n_processes = iot_share->running = 1;
	iot_each.process = 0;
	return true;
}

/* The log is no business of this process any more. */
void iot_share_forget(void)
{
	iot_unmap_inherited(iot_share, sizeof(*iot_share));
	iot_share = NULL;
}

/*
 * In a forked child, which goes on in its parent's log.  Returns false if it can't: the
 * processes of a log know each other by their pids, so that it has to be in its parent's
 * pid namespace.  The first process in one has the pid 1, and a process that has come to
 * one later has a parent that can't be seen from there.
 */
bool iot_share_fork(void)
{
	if (!iot_share || iot_each.pid == 1 || iot_syscall(SYS_getppid) == 0)
		return false;
	iot_each.process = __atomic_fetch_add(&iot_share->n_processes, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&iot_share->running, 1, __ATOMIC_RELAXED);
	if (iot_header->ended)
		iot_header->ended = iot_counted(0);
	return true;
}
