/* SPDX-License-Identifier: BSD-3-Clause */
/* abort.c - abort. */
#include "wrap.h"
#include "desc_abort.h"

#pragma GCC visibility push(hidden)
void iot_hand_abort(void (*real)(void), uint32_t internal, void *frame);
#pragma GCC visibility pop

void iot_hand_abort(void (*real)(void), uint32_t internal, void *frame)
{
	struct iot_call c IOT_CLEANUP;

	if (iot_enter(&c, &IOT_DESC_NAME(abort), internal, -1, frame))
		iot_noreturn(&c, NULL);
	real();
}
