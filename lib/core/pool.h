/* SPDX-License-Identifier: BSD-3-Clause */
/* pool.h - pieces of memory that came back: pool.c. */
#ifndef IOT_POOL_H
#define IOT_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_pool {
	uint64_t head;
	uint32_t size;			/* of a piece, a multiple of 8 and small */
};
void *iot_pool_pop(struct iot_pool *p);
void iot_pool_put(struct iot_pool *p, void *piece);
void iot_pool_put_row(struct iot_pool *p, void *first, void *last);

#pragma GCC visibility pop

#endif
