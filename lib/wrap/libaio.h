/* SPDX-License-Identifier: BSD-3-Clause */
/* libaio.h - the kernel's asynchronous I/O: linux-aio.c; and libaio's functions, which make its
   system calls by instructions of their own. */
#ifndef IOT_LIBAIO_H
#define IOT_LIBAIO_H

#include "raw.h"
#include "wrap.h"

#pragma GCC visibility push(hidden)

/* Before a system call, or libaio's function: what has completed so far. */
void iot_linux_aio_begun(const struct iot_call *c, long number, const unsigned long *a);
/* Behind a system call, or libaio's function, that returned ret, -1 for any error: what it
   submitted and what it collected. */
void iot_linux_aio(const struct iot_call *c, long number, const unsigned long *a, long ret);

/* Another library may have a function of such a name, which is called for it with all that a
   call has in registers. */
typedef long iot_libaio_fn(unsigned long, unsigned long, unsigned long, unsigned long, unsigned long,
			   unsigned long);
long iot_libaio(iot_libaio_fn *real, const struct iot_desc *desc, void *frame, const unsigned long a[6]);

#pragma GCC visibility pop

#define IOT_LIBAIO(name)                                                                   \
	extern iot_libaio_fn real __asm__("__real_" #name);                                \
	iot_libaio_fn wrap __asm__("__wrap_" #name);                                       \
	long wrap(unsigned long a, unsigned long b, unsigned long c, unsigned long d, unsigned long e, \
		  unsigned long f)                                                         \
	{                                                                                  \
		return iot_libaio(real, &IOT_DESC_NAME(name), __builtin_frame_address(0),  \
				  (const unsigned long[]){ a, b, c, d, e, f });            \
	}                                                                                  \
	IOT_EXPORT(name)

#endif
