/* SPDX-License-Identifier: BSD-3-Clause */
/* arg-structs.h - what structures say that a call is given or gives back: arg-structs.c. */
#ifndef IOT_ARG_STRUCTS_H
#define IOT_ARG_STRUCTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_thread;

/* What a call found: words behind its arguments. */
#define IOT_MAX_FOUND 5u

#define IOT_FOR_EVER (~0ULL)
#define IOT_NO_TIME  (~0ULL - 1)
uint64_t iot_fetch_time(const struct iot_thread *t, const void *p, uint32_t unit);
bool iot_is_negative(const struct iot_thread *t, const void *p);
uint32_t iot_lock_words(const struct iot_thread *t, int cmd, const void *p, bool known, uint64_t word[IOT_MAX_FOUND]);
uint32_t iot_end_words(int fd, uint64_t word[IOT_MAX_FOUND]);
uint32_t iot_stat_words(const struct iot_thread *t, const void *p, bool is_statx, uint64_t word[IOT_MAX_FOUND]);

#pragma GCC visibility pop

#endif
