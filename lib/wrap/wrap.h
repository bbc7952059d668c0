/* SPDX-License-Identifier: BSD-3-Clause */
/* wrap.h - what every wrapper, generated or written by hand, includes. */
#ifndef IOT_WRAP_H
#define IOT_WRAP_H

#include <aio.h>
#include <stdarg.h>
#include <stdio.h>

#include "hot.h"
#include "libc.h"

/* Rows of calls.def that this executable has, side by side for the log's schema.
   Several wrappers of a row may be linked, or none: hence weak. */
#define IOT_DESC_NAME(name) iot_desc_##name
#define IOT_DESC(name)                                                                     \
	const struct iot_desc IOT_DESC_NAME(name)                                          \
		__attribute__((weak, used, section("iot_calls"), visibility("hidden")))

#define IOT_CLEANUP	__attribute__((cleanup(iot_cleanup)))
#define IOT_HOT_CLEANUP __attribute__((cleanup(iot_hot_cleanup)))

#define IOT_ALIAS(from, to)                                                                \
	__asm__(".globl " to "\n.type " to ",@function\n.set " to "," from "\n");

static inline uint64_t iot_offset_at(const int64_t *p)
{
	return p ? (uint64_t)*p : IOT_UNKNOWN;
}

static inline int iot_aio_fd(const void *cb)
{
	return cb ? ((const struct aiocb *)cb)->aio_fildes : -1;
}

#endif
