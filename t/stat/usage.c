/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * usage.c - sums up a log as iotrace-stat does, and prints how often it was asked what the
 * log's threads used, which takes as long as there are threads.
 */
#include "config.h"

#include <stdio.h>

#include "../../analysis/analysis.h"

static unsigned asked;
struct iotr_usage __real_iotr_log_usage(const struct iotr_log *log);
struct iotr_usage __wrap_iotr_log_usage(const struct iotr_log *log);

struct iotr_usage __wrap_iotr_log_usage(const struct iotr_log *log)
{
	asked++;
	return __real_iotr_log_usage(log);
}

static void add(void *a, const struct iotr_call *call)
{
	iota_call(a, call, true);
}

int main(int argc, char **argv)
{
	struct iotr_set *set = iotr_set_new(NULL, NULL);
	struct iota *a = iota_new(IOTA_IN(IOTA_BY_FILE) | IOTA_IN(IOTA_BY_PROCESS) | IOTA_FINDINGS);
	const struct iota_table *processes = iota_table(a, IOTA_BY_PROCESS);
	uint64_t created = 0;
	size_t i;

	if (argc != 2 || iotr_set_add(set, argv[1]) < 0)
		return 2;
	iotr_set_scan(set, add, a);
	iota_end(a);
	for (i = 0; i < processes->n; i++)
		created += processes->row[i]->team.n;
	printf("%llu threads created, asked %u times\n", (unsigned long long)created, asked);
	iota_free(a);
	iotr_set_free(set);
	return 0;
}
