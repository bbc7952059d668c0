/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tidy.c - relaxes a system by passes over a file of its coefficients, and leaves no page of it behind.
 *
 * build: iocc
 * input: head -c 4M /dev/zero >coefficients
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define PASSES 30
#define PART   65536
#define WHOLE  (4 << 20)

static unsigned char whole[WHOLE];

static double relax(const unsigned char *part, ssize_t n, double x)
{
	for (ssize_t i = 0; i < n; i += 64)
		x = 0.5 * x + part[i] + 1;
	return x;
}

/* What there is from there on. */
static ssize_t get(int fd, off_t at)
{
	ssize_t n = pread(fd, whole, PART, at);

	if (n < 0)
		err(1, "coefficients");
	return n;
}

static double pass(int fd, double x)
{
	ssize_t n;

	for (off_t at = 0; (n = get(fd, at)) > 0; at += n)
		x = relax(whole, n, x);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED); /* FINDING evicted coefficients */
	return x;
}

int main(void)
{
	int fd = open("coefficients", O_RDONLY);
	double x = 1;

	if (fd < 0)
		err(1, "coefficients");
#ifdef FIXED
	if (read(fd, whole, WHOLE) != WHOLE)
		err(1, "coefficients");
	for (int i = 0; i < PASSES; i++)
		x = relax(whole, WHOLE, x);
	(void)pass;
#else
	for (int i = 0; i < PASSES; i++)
		x = pass(fd, x);
#endif
	printf("%g\n", x);
	return close(fd) != 0;
}
