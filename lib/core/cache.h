/* SPDX-License-Identifier: BSD-3-Clause */
/* cache.h - IOTRACE_CACHE: what the page cache had of what is read: cache.c. */
#ifndef IOT_CACHE_H
#define IOT_CACHE_H

#include <stdint.h>

#include "compiler.h"
#include "conf.h"

#pragma GCC visibility push(hidden)

struct iot_call;
struct iot_draft;

/* Before a call that reads or writes its descriptor, with its parameters. */
void iot_cache_look(struct iot_call *c, const uint64_t *arg);
/* After it. */
void iot_cache_tell(const struct iot_call *c, struct iot_draft *d, long ret);
/* How many pages of that range are in the page cache; IOT_UNKNOWN: nobody tells. */
uint64_t iot_pages_there(int fd, uint64_t offset, uint64_t size);

#define IOT_CACHE_LOOK(call, ...)                                             \
	do {                                                                  \
		if (iot_unlikely(iot_config.cache))                           \
			iot_cache_look((call), (const uint64_t[]){ __VA_ARGS__ }); \
	} while (0)

#pragma GCC visibility pop

#endif
