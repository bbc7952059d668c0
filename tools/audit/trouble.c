/* SPDX-License-Identifier: BSD-3-Clause */
/* trouble.c - memory for what is found; an executable that can't be examined. */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "../common/message.h"
#include "audit.h"

void iot_audit_fail(const struct audit *a, const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	va_start(ap, fmt);
	iot_vsay(a->path, fmt, ap);
	va_end(ap);
	exit(STATUS_TROUBLE);
}

void *iot_audit_alloc(size_t n, size_t item)
{
	void *p = calloc(n ? n : 1, item);

	if (!p)
		iot_die("out of memory");
	return p;
}

/* Room for one more behind n items; sizes are powers of two. */
void *iot_audit_grow(void *array, size_t n, size_t item)
{
	if (n >= 64 ? n & (n - 1) : n)
		return array;
	array = reallocarray(array, n ? 2 * n : 64, item);
	if (!array)
		iot_die("out of memory");
	return array;
}
