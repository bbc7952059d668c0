/* SPDX-License-Identifier: BSD-3-Clause */
/* asks.c - whether the kernel lets us count page faults. */
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/perf_event.h>

int main(void)
{
	struct perf_event_attr a;

	memset(&a, 0, sizeof(a));
	a.type = PERF_TYPE_SOFTWARE;
	a.size = sizeof(a);
	a.config = PERF_COUNT_SW_PAGE_FAULTS_MIN;
	a.exclude_kernel = 1;
	return syscall(SYS_perf_event_open, &a, 0, -1, -1, 0) < 0;
}
