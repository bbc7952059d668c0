/* SPDX-License-Identifier: BSD-3-Clause */
/* say.h - what the programs here say: one line, by one system call. */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
	char line[256];
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(line, sizeof(line) - 1, format, ap);
	va_end(ap);
	line[n++] = '\n';
	if (write(1, line, (size_t)n) != n)
		_exit(98);
}
