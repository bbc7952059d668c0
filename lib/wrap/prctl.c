/* SPDX-License-Identifier: BSD-3-Clause */
/* prctl.c - prctl, which is no I/O, but may take system calls from the recorder. */
#include "seccomp.h"
#include "wrap.h"

extern int real(int, ...) __asm__("__real_prctl");
int wrap(int, unsigned long, unsigned long, unsigned long, unsigned long) __asm__("__wrap_prctl");
int wrap(int option, unsigned long a2, unsigned long a3, unsigned long a4, unsigned long a5)
{
	const unsigned long a[] = { (unsigned int)option, a2, a3 };
	struct iot_seccomp s;
	bool installs = !iot_is_dispatched() && iot_seccomp_before(&s, SYS_prctl, a);
	int ret = real(option, a2, a3, a4, a5);

	if (installs)
		iot_seccomp_after(&s, ret);
	return ret;
}
IOT_EXPORT(prctl)
IOT_ALIAS(prctl, __prctl)
