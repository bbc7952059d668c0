/* SPDX-License-Identifier: BSD-3-Clause */
/* mapped.h - which memory is of files: mapped.c. */
#ifndef IOT_MAPPED_H
#define IOT_MAPPED_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

void iot_mapped_note(uintptr_t start, uint64_t size);
void iot_mapped_forget(uintptr_t start, uint64_t size);
bool iot_mapped(const void *p, uint64_t size);
bool iot_no_memory(void);

#pragma GCC visibility pop

#endif
