/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host.c - what the recorder has to know of the executable that it is in: this
 * is a static one.
 */
#include "iot.h"

/* Its libc has been linked so that we see what it does. */
const bool iot_libc_opaque = false;

/* There is nobody who might call us before we are complete. */
bool iot_host_ready(void)
{
	return true;
}

/* Whether libc made a system call that no wrapper knows of: nobody can tell its
   instructions from the program's, but what is made within a call is libc's. */
bool iot_host_made(const struct iot_thread *t, uintptr_t pc)
{
	(void)pc;
	return t->depth != 0;
}

char **iot_environ(void)
{
	extern char **environ;

	return environ;
}
