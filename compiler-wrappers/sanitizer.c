/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sanitizer.c - sanitizers whose runtime is a part of the executable.  It defines the
 * names of libc's calls, in front of ours, and calls libc itself.  Ours can't come
 * first: the sanitizer would see nothing.  A shared runtime is what ours call instead
 * of libc, and all is recorded.
 */
#include "config.h"

#include <string.h>

#include "iocc.h"

static const struct {
	const char *name, *option; /* GCC's, that makes its runtime static */
	bool shared;		   /* Clang has a shared one too */
} sanitizers[] = {
	{ "address", "-static-libasan", true },
	{ "thread", "-static-libtsan", false },
	{ "memory", "", false },
	{ "leak", "-static-liblsan", false },
	{ "hwaddress", "-static-libhwasan", true },
};

void iot_warn_of_sanitizer(const struct request *r)
{
	bool clang = iot_is_clang();

	for (size_t i = 0; i < sizeof(sanitizers) / sizeof(*sanitizers); i++) {
		bool is_static = clang ? !(r->shared_sanitizer && sanitizers[i].shared) :
					 iot_has(&r->static_sanitizers, sanitizers[i].option);

		if (!is_static || !iot_has(&r->sanitizers, sanitizers[i].name))
			continue;
		iot_not_instrumented("calls that the %s sanitizer intercepts, whose runtime is linked "
				     "statically%s",
				     sanitizers[i].name,
				     !clang ? iot_text(" (leave %s out)", sanitizers[i].option) :
				     sanitizers[i].shared ? " (add -shared-libsan)" : "");
	}
}
