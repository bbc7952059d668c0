/* SPDX-License-Identifier: BSD-3-Clause */
/* thread-memory.h - which recorders there is memory for (thread-memory.c), and who has it. */
#ifndef IOT_THREAD_MEMORY_H
#define IOT_THREAD_MEMORY_H

#include "thread.h"

#pragma GCC visibility push(hidden)

/* of a struct: its in_use */
enum { IOT_STRUCT_FREE, IOT_STRUCT_TAKEN, IOT_STRUCT_ENDED };

struct iot_thread *iot_thread_at(uint32_t n);
uint32_t iot_thread_count(void);
bool iot_thread_free(const struct iot_thread *t);
struct iot_thread *iot_thread_with(uintptr_t at);
void *iot_structs_start(void);
struct iot_thread *iot_struct_take(void);
void iot_struct_offer(struct iot_thread *t, uint32_t state);

#pragma GCC visibility pop
#endif
