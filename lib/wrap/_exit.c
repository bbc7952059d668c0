/* SPDX-License-Identifier: BSD-3-Clause */
/* _exit.c - _exit: the last record of a process that ends by itself. */
#include "log.h"
#include "wrap.h"
#include "desc__exit.h"

#pragma GCC visibility push(hidden)
void iot_hand__exit(void (*real)(int), uint32_t internal, void *frame, int status);
#pragma GCC visibility pop

void iot_hand__exit(void (*real)(int), uint32_t internal, void *frame, int status)
{
	struct iot_call c IOT_CLEANUP;
	const uint64_t arg[] = { (uint64_t)status };

	if (iot_enter(&c, &IOT_DESC_NAME(_exit), internal, -1, frame))
		iot_noreturn(&c, arg);
	/* on record or not */
	iot_log_ended(iot_mine());
	real(status);
}
