/* SPDX-License-Identifier: BSD-3-Clause */
/* details.h - what is told beside calls: structures, file systems, what threads used. */
#ifndef IOT_DETAILS_H
#define IOT_DETAILS_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_thread;
struct stat;

/* arg-structs.c */
#define IOT_FOR_EVER (~0ULL)
#define IOT_NO_TIME  (~0ULL - 1)
uint64_t iot_fetch_time(const struct iot_thread *t, const void *p, uint32_t unit);

/* mapped.c */
void iot_mapped_note(uintptr_t start, uint64_t size);
void iot_mapped_forget(uintptr_t start, uint64_t size);
bool iot_mapped(const void *p, uint64_t size);
bool iot_no_memory(void);

/* filesystem.c: what paths are on */
void iot_filesystem_of(struct iot_thread *t, uint32_t path, const struct stat *st, const char *abs, int fd);
void iot_devices_forget(void);

/* usage.c */
#define IOT_USAGE_WORDS 11u		/* of the record */
void iot_usage_define(struct iot_thread *t);

#pragma GCC visibility pop

#endif
