/* SPDX-License-Identifier: BSD-3-Clause */
/* anchor.h - the timebase and the clocks at one moment: anchor.c. */
#ifndef IOT_ANCHOR_H
#define IOT_ANCHOR_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_anchor;

void iot_anchor_now(struct iot_anchor *a);
uint64_t iot_anchor_first(struct iot_anchor *a);
void iot_anchor_store(struct iot_anchor *to, const struct iot_anchor *a);
void iot_anchor_latest(const struct iot_anchor *a);

#pragma GCC visibility pop

#endif
