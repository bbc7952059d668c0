/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gate.h - whether recording is switched on, by the program (iotrace.h) and from outside
 * (iotrace-ctl): gate.c.
 */
#ifndef IOT_GATE_H
#define IOT_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "iotrace-format.h"
#include "log-share.h"
#include "state.h"

#pragma GCC visibility push(hidden)

/* Sets iot_gate, to the header's word if there is one and by_log. */
void iot_log_gate(bool by_log);
/* Sets the header's word. */
void iot_log_open_gate(uint32_t families);
/* By iotrace-ctl, from outside; where there is a recorder that is idle there is a header. */
static inline bool iot_switched_off(void)
{
	return iot_header->off;
}

#pragma GCC visibility pop

#endif
