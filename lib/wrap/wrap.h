/* SPDX-License-Identifier: BSD-3-Clause */
/* wrap.h - what every wrapper, generated or written by hand, includes. */
#ifndef IOT_WRAP_H
#define IOT_WRAP_H

#include <aio.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <syslog.h>

#include "arg-structs.h"
#include "bytes.h"
#include "cache.h"
#include "fetch.h"
#include "hooks.h"
#include "hot.h"
#include "libc.h"
#include "logfd.h"
#include "mapped.h"
#include "passed-fds.h"
#include "seen.h"
#include "syscall-numbers.h"
#ifdef IOT_DYNAMIC
#include "stream.h"
#endif

/* With these flags, open has a mode. */
#define IOT_HAS_MODE (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))

/* Rows of calls.def that this executable has, side by side for the log's schema.
   Several wrappers of a row may be linked, or none: hence weak. */
#define IOT_DESC_NAME(name) iot_desc_##name
#define IOT_DESC(name)                                                                     \
	const struct iot_desc IOT_DESC_NAME(name)                                          \
		__attribute__((weak, used, section("iot_calls"), visibility("hidden")))

#define IOT_SYS(name) (SYS_##name + 1)

#define IOT_CLEANUP	__attribute__((cleanup(iot_cleanup)))
#define IOT_HOT_CLEANUP __attribute__((cleanup(iot_hot_cleanup)))

/*
 * IOT_EXPORT: the wrapper that is called __wrap_NAME stands for NAME; IOT_ALIAS: it
 * stands for ALSO too.  In a static executable the linker knows by these names
 * what to put in front of libc.  In a dynamic one the wrapper bears the name of
 * the call itself, for libraries to find; weak, since a function of the program's
 * own is what the program wants.
 */
#define IOT_ALIAS(name, also)                                                              \
	__asm__(".globl __wrap_" #also "\n.type __wrap_" #also ",@function\n"            \
		".set __wrap_" #also ",__wrap_" #name "\n");                               \
	IOT_EXPORT(also)
#ifdef IOT_DYNAMIC
#define IOT_EXPORT(name)                                                                   \
	__asm__(".hidden __wrap_" #name "\n.weak " #name "\n"                             \
		".type " #name ",@function\n.set " #name ",__wrap_" #name "\n");
#else
#define IOT_EXPORT(name)
#endif

/* caller.c */
#pragma GCC visibility push(hidden)
/* in-executable.c, in-library.c: whether who called us means an old version of the name */
bool iot_caller_means(const void *caller, const char *name, const char *version);
long iot_as_caller(void *fn, const void *caller, uintptr_t a, uintptr_t b, uintptr_t c);
#pragma GCC visibility pop

/* Of a stream that libc will not look at: it need be none. */
static inline int iot_fileno_if_there(const FILE *fp)
{
	struct iot_file there;

	if (!(iot_families >> IOT_STDIO & 1) || !iot_fetch(&there, fp, sizeof(there)))
		return -1;
	return iot_fileno((const FILE *)(const void *)&there);
}

/* syslog writes to standard error as well if openlog was told so; nobody knows how much of it
   if the console may have the message, too. */
static inline void iot_openlog(int option)
{
	iot_log_options = option;
}

static inline bool iot_log_to_stderr(void)
{
	return (iot_log_options & (LOG_PERROR | LOG_CONS)) == LOG_PERROR;
}

static inline int iot_aio_fd(const struct aiocb *cb)
{
	int fd;

	return iot_families >> IOT_AIO & 1 && iot_fetch(&fd, &cb->aio_fildes, sizeof(fd)) ? fd : -1;
}

#endif
