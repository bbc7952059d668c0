/* SPDX-License-Identifier: BSD-3-Clause */
/* quick_exit.c - quick_exit: at_quick_exit handlers run beneath it. */
#include "wrap.h"
#include "desc_quick_exit.h"

#pragma GCC visibility push(hidden)
void iot_hand_quick_exit(void (*real)(int), uint32_t internal, void *frame, int status);
#pragma GCC visibility pop

void iot_hand_quick_exit(void (*real)(int), uint32_t internal, void *frame, int status)
{
	struct iot_call c IOT_CLEANUP;
	const uint64_t arg[] = { (uint64_t)status };

	if (iot_enter(&c, &IOT_DESC_NAME(quick_exit), internal, -1, frame))
		iot_noreturn(&c, arg);
	real(status);
}
