/* SPDX-License-Identifier: BSD-3-Clause */
/* text.h - text is put together and taken apart, without stdio: text.c. */
#ifndef IOT_TEXT_H
#define IOT_TEXT_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_text {
	char *buf;
	uint32_t len, cap;
};
void iot_puts(struct iot_text *x, const char *s);
void iot_putn(struct iot_text *x, const char *s, size_t n);
void iot_putu(struct iot_text *x, uint64_t v);
void iot_put_escaped(struct iot_text *x, const char *s, size_t n);
/* /proc/PID and the name of a file there, which begins with a slash; room for both. */
#define IOT_PROC_PATH 40
void iot_proc_path(char path[IOT_PROC_PATH], uint64_t pid, const char *name);
/* The number there, to base 10 or 16 in small letters; *s goes behind it. */
uint64_t iot_number(const char **s, uint32_t base);

#pragma GCC visibility pop

#endif
