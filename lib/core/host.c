/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host.c - what the recorder has to know of the executable that it is in: this
 * is a static one.
 */
#include "host.h"

#include "libc.h"
#include "thread.h"

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

IOT_EACH int *iot_errno_location(void)
{
#ifdef IOT_MUSL
	extern int *___errno_location(void) __attribute__((visibility("hidden")));

	return ___errno_location();
#else
	extern __thread int __libc_errno __attribute__((visibility("hidden"), tls_model("initial-exec")));

	return &__libc_errno;
#endif
}

char **iot_environ(void)
{
	return __environ;
}

char **iot_environ_first(void)
{
	return __environ;
}

const uint64_t *iot_host_auxv(void)
{
	return iot_libc_auxv();
}
