/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sanitizer.c - sanitizers whose runtime is a part of the executable.  It defines the
 * names of libc's calls, weakly and in front of ours, and calls libc itself.  Then ours
 * are not weak, and call the sanitizer's functions (libiotrace-sanitized.a).  A shared
 * runtime is what ours call instead of libc anyway.
 */
#include "config.h"

#include <string.h>

#include "iocc.h"

static const struct {
	const char *name, *option; /* GCC's, that makes its runtime static */
	bool shared;		   /* Clang has a shared one too */
	bool calls;		   /* its functions can be called by ours */
} sanitizers[] = {
	{ "address", "-static-libasan", true, true },
	{ "thread", "-static-libtsan", false, true },
	{ "memory", "", false, true },
	{ "leak", "-static-liblsan", false, false },
	{ "hwaddress", "-static-libhwasan", true, false },
};

/* Whether its runtime is in the executable. */
static bool is_static(const struct request *r, size_t i)
{
	if (!iot_has(&r->sanitizers, sanitizers[i].name))
		return false;
	if (iot_is_clang())
		return !(r->shared_sanitizer && sanitizers[i].shared);
	return iot_has(&r->static_sanitizers, sanitizers[i].option);
}

bool iot_calls_sanitizer(const struct request *r)
{
	for (size_t i = 0; i < sizeof(sanitizers) / sizeof(*sanitizers); i++)
		if (sanitizers[i].calls && is_static(r, i))
			return true;
	return false;
}

void iot_warn_of_sanitizer(const struct request *r, bool called)
{
	for (size_t i = 0; i < sizeof(sanitizers) / sizeof(*sanitizers); i++) {
		const char *advice = "";

		if (!is_static(r, i) || (called && sanitizers[i].calls))
			continue;
		if (!iot_is_clang())
			advice = iot_text(" (leave %s out)", sanitizers[i].option);
		else if (sanitizers[i].shared)
			advice = " (add -shared-libsan)";
		iot_not_instrumented("calls that the %s sanitizer intercepts, whose runtime is linked statically%s",
				     sanitizers[i].name, advice);
	}
}
