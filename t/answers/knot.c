/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * knot.c - counts birds of the mudflats.  What it has to remark goes to stderr, which is a file, and has no buffer.
 *
 * build: iocc -static
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#define FLATS 300
#define BIRDS 40

static void remark(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args); /* FINDING unbuffered remarks */
	va_end(args);
}

static int count(int flat)
{
	int n = 0;

	for (int bird = 0; bird < BIRDS; bird++) {
		int legs = (flat * 31 + bird * 17) % 5;

		if (legs > 2)
			remark("flat %d: bird %d has %d legs\n", flat, bird, legs); /* FINDING unbuffered remarks */
		else
			n++;
	}
	return n;
}

int main(void)
{
	int n = 0;

	close(STDERR_FILENO);
	if (open("remarks", O_WRONLY | O_CREAT | O_TRUNC, 0666) != STDERR_FILENO)
		return 1;
#ifdef FIXED
	setvbuf(stderr, NULL, _IOFBF, 65536);
#endif
	for (int flat = 0; flat < FLATS; flat++)
		n += count(flat);
	printf("%d birds\n", n);
	return 0;
}
