/* SPDX-License-Identifier: BSD-3-Clause */
/* aside.h - definitions that wait until there is space in the log again: aside.c. */
#ifndef IOT_ASIDE_H
#define IOT_ASIDE_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_aside {
	struct iot_aside *next;
	uint32_t used, n;		/* bytes, definitions */
	uint8_t data[];
};
bool iot_aside_any(void);
struct iot_aside *iot_aside_take(void);
void iot_aside_put(struct iot_aside *first);
struct iot_aside *iot_aside_free(struct iot_aside *a);
struct iot_aside *iot_aside_add(struct iot_aside *a, const uint64_t *p, uint32_t words);

#pragma GCC visibility pop

#endif
