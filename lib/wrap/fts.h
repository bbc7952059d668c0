/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fts.h - functions that change the directory on their way through a tree.  They
 * are no calls of the table; but where libc's own calls are not seen, names are
 * relative to another directory from then on.
 */
#ifndef IOT_FTS_H
#define IOT_FTS_H

#include "paths.h"
#include "wrap.h"

#define IOT_FTS(name, name64)                                                              \
	IOT_EXPORT(name)                                                                   \
	IOT_ALIAS(name, name64)                                                            \
	extern long real(void *, int) __asm__("__real_" #name);                            \
	long wrap(void *, int) __asm__("__wrap_" #name);                                   \
	long wrap(void *fts, int option)                                                   \
	{                                                                                  \
		long ret = real(fts, option);                                              \
                                                                                           \
		iot_cwd_changed();                                                         \
		return ret;                                                                \
	}

#endif
