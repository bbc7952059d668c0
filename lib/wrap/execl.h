/* SPDX-License-Identifier: BSD-3-Clause */
/* execl.h - execl, execle and execlp, which pass their arguments one by one. */
#ifndef IOT_EXECL_H
#define IOT_EXECL_H

#include <alloca.h>

#include "child-env.h"
#include "wrap.h"

/* libc's own execve */
#ifdef IOT_MUSL
#define IOT_INNER_EXECVE "__wrap_execve"
#else
#define IOT_INNER_EXECVE "__wrap___execve"
#endif

static inline uint32_t iot_count_args(va_list from)
{
	uint32_t n = 1;
	va_list ap;

	va_copy(ap, from);
	while (va_arg(ap, char *))
		n++;
	va_end(ap);
	return n;
}

/* The function iot_hand_NAME; call forwards to one that takes arrays. */
#define IOT_EXECL(name, get_env, call)                                                     \
	int iot_hand_##name(int (*)(const char *, const char *, ...), uint32_t, void *,    \
			    const char *, const char *, va_list)                           \
		__attribute__((visibility("hidden")));                                     \
	int iot_hand_##name(int (*real)(const char *, const char *, ...), uint32_t internal, \
			    void *frame, const char *path, const char *first, va_list ap)  \
	{                                                                                  \
		struct iot_call c IOT_CLEANUP;                                             \
		const uint64_t arr[] = { (uintptr_t)path, (uintptr_t)first };              \
		uint32_t n = first ? iot_count_args(ap) : 0;                               \
		char **argv = alloca((n + 1) * sizeof(*argv)), **given = __environ, **env;  \
		bool recorded;                                                             \
		int ret;                                                                   \
                                                                                           \
		argv[0] = (char *)first;                                                   \
		for (uint32_t i = 1; i <= n; i++)                                          \
			argv[i] = va_arg(ap, char *);                                      \
		if (get_env)                                                               \
			given = va_arg(ap, char **);                                       \
		(void)real;                                                                \
		env = IOT_CHILD_ENV(given);                                                \
		recorded = iot_enter(&c, &IOT_DESC_NAME(name), internal, -1, frame);       \
		if (recorded)                                                              \
			iot_noreturn(&c, arr);                                             \
		ret = IOT_FITTING(env, given, call);                                       \
		if (recorded)                                                              \
			iot_leave(&c, ret, arr);                                           \
		return ret;                                                                \
	}

#endif
