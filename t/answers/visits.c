/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * visits.c - keeps a record of the visitors of some pages, by way of a log that other parts
 * of the program use as well.
 *
 * build: iocc -static
 */
#include <err.h>
#include <stdarg.h>
#include <stdio.h>

#define VISITS 2500

static void record(const char *format, ...)
{
#ifdef FIXED
	static FILE *f;

	if (!f)
		f = fopen("visits.log", "a");
#else
	FILE *f = fopen("visits.log", "a"); /* FINDING reopened visits.log */
#endif
	va_list args;

	if (!f)
		err(1, "visits.log");
	va_start(args, format);
	vfprintf(f, format, args);
	va_end(args);
#ifndef FIXED
	fclose(f);
#endif
}

static void come(int visitor)
{
	record("%d comes to page %d\n", visitor, visitor * 31 % 100);
}

static void leave(int visitor)
{
	record("%d leaves after %d seconds\n", visitor, visitor * 17 % 600);
}

int main(void)
{
	record("open\n");
	for (int i = 0; i < VISITS; i++) {
		come(i);
		if (i % 3 == 0)
			leave(i);
	}
	record("closed\n");
	return 0;
}
