/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - text is put together and taken apart, without stdio. */
#include "text.h"

#include <string.h>

void iot_putn(struct iot_text *x, const char *s, size_t n)
{
	if (n > x->cap - x->len)
		n = x->cap - x->len;
	memcpy(x->buf + x->len, s, n);
	x->len += (uint32_t)n;
}

void iot_puts(struct iot_text *x, const char *s)
{
	iot_putn(x, s, strlen(s));
}

void iot_putu(struct iot_text *x, uint64_t v)
{
	char d[20];
	int i = sizeof(d);

	do
		d[--i] = (char)('0' + v % 10);
	while (v /= 10);
	iot_putn(x, d + i, sizeof(d) - (size_t)i);
}

void iot_proc_path(char path[IOT_PROC_PATH], uint64_t pid, const char *name)
{
	struct iot_text x = { .buf = path, .cap = IOT_PROC_PATH - 1 };

	iot_puts(&x, "/proc/");
	iot_putu(&x, pid);
	iot_puts(&x, name);
	path[x.len] = 0;
}

/* As values stand in the header text. */
void iot_put_escaped(struct iot_text *x, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c >= 0x20 && c != '\\') {
			iot_putn(x, s + i, 1);
		} else {
			char o[4] = { '\\', (char)('0' + (c >> 6)), (char)('0' + (c >> 3 & 7)),
				      (char)('0' + (c & 7)) };
			iot_putn(x, o, 4);
		}
	}
}

uint64_t iot_number(const char **s, uint32_t base)
{
	uint64_t v = 0;

	for (;; (*s)++) {
		const uint32_t c = (unsigned char)**s, digit = c - '0' < 10 ? c - '0' : c - 'a' < 6 ? c - 'a' + 10 : base;

		if (digit >= base)
			return v;
		v = v * base + digit;
	}
}
