/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * show.h - for the test programs: say what a call returned.  With and without
 * tracing a program says the same, byte for byte, so results that change from
 * run to run (addresses, times, process ids) go through OK() or PTR().
 */
#ifndef SHOW_H
#define SHOW_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the number itself, and errno if it is -1 */
#define SHOW(call)	(errno = 0, show(#call, (long)(call)))
/* only whether it is negative */
#define OK(call)	(errno = 0, show_ok(#call, (long)(call)))
/* only whether it is NULL or MAP_FAILED */
#define PTR(call)	(errno = 0, show_ptr(#call, (call)))
/* a bad argument that the compiler need not see through */
#define HIDE(x) __extension__({ __typeof__(x) volatile hidden_ = (x); hidden_; })
/* an error number as the result */
#define CODE(call)	show_code(#call, (call))

/* what only the GNU C library has */
#ifdef __GLIBC__
#define GNU(statement) statement
#else
#define GNU(statement) ((void)0)
#endif

static inline void show_errno(int e)
{
	printf(" %s\n", e ? strerror(e) : "");
}

static inline long show(const char *what, long ret)
{
	int e = errno;

	printf("%s = %ld", what, ret);
	show_errno(ret == -1 ? e : 0);
	return ret;
}

static inline long show_ok(const char *what, long ret)
{
	int e = errno;

	printf("%s %s", what, ret < 0 ? "failed" : "worked");
	show_errno(ret < 0 ? e : 0);
	return ret;
}

static inline void *show_ptr(const char *what, const void *ret)
{
	int e = errno;
	int bad = !ret || ret == (void *)-1;

	printf("%s %s", what, bad ? "failed" : "worked");
	show_errno(bad ? e : 0);
	return (void *)(unsigned long)ret;
}

static inline int show_code(const char *what, int ret)
{
	printf("%s = %d", what, ret);
	show_errno(ret);
	return ret;
}

#endif
