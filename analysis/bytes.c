/* SPDX-License-Identifier: BSD-3-Clause */
/* bytes.c - bytes that grow: names that are put together, and sums on their way. */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>

#include "internal.h"

static void need(struct iota_bytes *b, size_t n)
{
	if (b->cap - b->len >= n)
		return;
	b->cap = (b->len + n) * 2;
	b->p = iota_grow(b->p, b->cap, 1);
}

void iota_bytes_add(struct iota_bytes *b, const void *p, size_t n)
{
	if (!n)
		return;
	need(b, n);
	memcpy(b->p + b->len, p, n);
	b->len += n;
}

void iota_bytes_text(struct iota_bytes *b, const char *text)
{
	iota_bytes_add(b, text, strlen(text));
}

void iota_bytes_format(struct iota_bytes *b, const char *format, ...)
{
	char text[200];
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	if (n > 0)
		iota_bytes_add(b, text, (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1);
}
