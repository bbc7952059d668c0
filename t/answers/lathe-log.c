/* SPDX-License-Identifier: BSD-3-Clause */
/* lathe-log.c - a library that lathe.c keeps its log by. */
#include <err.h>
#include <stdarg.h>
#include <stdio.h>

void log_add(const char *format, ...);
void log_add(const char *format, ...)
{
	static FILE *to;
	va_list ap;

	if (!to)
		to = fopen("lathe.log", "a"); /* FINDING reopened lathe.log */
	if (!to)
		err(1, "lathe.log");
	va_start(ap, format);
	vfprintf(to, format, ap);
	va_end(ap);
#ifndef FIXED
	fclose(to);
	to = NULL;
#endif
}
