/* SPDX-License-Identifier: BSD-3-Clause */
/* lost.c - what the log's header counts: calls that were lost, and why; where the log ends. */
#include "lost.h"

#include "log-share.h"
#include "sys.h"

/* Adds to a number in the header, which has its checksum in it. */
static void header_add(uint64_t *word, uint64_t n)
{
	uint64_t was = __atomic_load_n(word, __ATOMIC_RELAXED);

	while (!__atomic_compare_exchange_n(word, &was, iot_counted(IOT_COUNT(was) + n), false, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED))
		;
}

/* Such a number is n at least. */
void iot_header_raise(uint64_t *word, uint64_t n)
{
	uint64_t was = __atomic_load_n(word, __ATOMIC_RELAXED);

	while (IOT_COUNT(was) < n && !__atomic_compare_exchange_n(word, &was, iot_counted(n), false, __ATOMIC_RELAXED,
								  __ATOMIC_RELAXED))
		;
}

/* Whether a filter of the program's lets us write the log. */
static bool may_write(void)
{
	return iot_sys_allowed(SYS_pwritev) && iot_sys_allowed(SYS_newfstatat) && iot_sys_allowed(SYS_mmap);
}

void iot_lost(uint32_t calls, uint64_t reason)
{
	uint64_t none = 0;

	if (!iot_header)
		return;
	if (!may_write())
		reason = IOT_LOST_FILTER;
	header_add(&iot_header->lost_calls, calls);
	__atomic_compare_exchange_n(&iot_header->lost_reason, &none, iot_counted(reason), false, __ATOMIC_RELAXED,
				    __ATOMIC_RELAXED);
}

void iot_leave_out(void)
{
	if (iot_header)
		header_add(&iot_header->left_out, 1);
}
