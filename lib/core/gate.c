/* SPDX-License-Identifier: BSD-3-Clause */
/* gate.c - the word that the fast way asks before each call: gate.h. */
#include "gate.h"

#include "log-share.h"

void iot_log_gate(bool by_log)
{
	__atomic_store_n(&iot_gate, iot_header && by_log ? &iot_header->gate : &iot_whole, __ATOMIC_RELEASE);
}

void iot_log_open_gate(uint32_t families)
{
	__atomic_store_n(&iot_header->open_gate, families, __ATOMIC_SEQ_CST);
	if (!iot_switched_off())
		__atomic_store_n(&iot_header->gate, families, __ATOMIC_SEQ_CST);
	/* it may have been switched off just now */
	if (iot_switched_off())
		__atomic_store_n(&iot_header->gate, 0, __ATOMIC_SEQ_CST);
}
