/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calls.c - reads a log by the library and counts its calls, in the order of time or thread by
 * thread, and does nothing else with them.
 *
 *	calls order|threads LOG
 */
#include <stdio.h>
#include <string.h>

#include <iotrace/read.h>

static void count(void *n, const struct iotr_call *call)
{
	(void)call;
	++*(unsigned long long *)n;
}

int main(int argc, char **argv)
{
	struct iotr_set *set = iotr_set_new(NULL, NULL);
	unsigned long long n = 0;

	if (argc != 3 || iotr_set_add(set, argv[2]) < 0)
		return 2;
	if (!strcmp(argv[1], "threads"))
		iotr_set_scan(set, count, &n);
	else
		while (iotr_set_next(set))
			n++;
	printf("%llu\n", n);
	iotr_set_free(set);
	return !n;
}
