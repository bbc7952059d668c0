/* SPDX-License-Identifier: BSD-3-Clause */
/* effect.h - what a call did to descriptors, directories and memory: effect.c. */
#ifndef IOT_EFFECT_H
#define IOT_EFFECT_H

#include "record-draft.h"

#pragma GCC visibility push(hidden)

void iot_effect_do(struct iot_thread *t, const struct iot_call *c, long ret, const uint64_t *arg,
		   const struct iot_draft *d);

#pragma GCC visibility pop

#endif
