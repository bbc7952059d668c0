/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.c - what a delivered system call is given, and gives, in the program's memory. */
#include "dispatch.h"

#include "fetch.h"

#include <string.h>

/* What the kernel would have read, had it been its business.  Where a filter leaves no
   way to find out whether it can be read, it has to be. */
bool iot_take(void *to, const void *from, size_t size)
{
	if (iot_sys_allowed(SYS_rt_sigprocmask) ||
	    (iot_sys_allowed(SYS_process_vm_readv) && iot_sys_allowed(SYS_gettid)))
		return iot_fetch(to, from, size);
	if (!from)
		return false;
	memcpy(to, from, size);
	return true;
}

/* The same for what it would have written. */
bool iot_give(void *to, const void *from, size_t size)
{
	if (iot_sys_allowed(SYS_process_vm_writev) && iot_sys_allowed(SYS_gettid))
		return iot_store(to, from, size);
	memcpy(to, from, size);
	return true;
}
