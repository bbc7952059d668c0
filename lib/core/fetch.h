/* SPDX-License-Identifier: BSD-3-Clause */
/* fetch.h - the program's memory, at addresses that may be bad: fetch.c. */
#ifndef IOT_FETCH_H
#define IOT_FETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* False, or NULL, if they
   are: then what is at `to' is anything. */
bool iot_fetch(void *to, const void *from, size_t n);
bool iot_store(void *to, const void *from, size_t n);
const char *iot_fetch_text(char *to, uint32_t size, const char *from);
bool iot_is_text(const char *s, uintptr_t *known);
bool iot_is_rooted(const char *s);
bool iot_is_memory(const void *p, size_t n);

/* What a call has read or written of its memory: it is still there, unless another thread has
   unmapped it meanwhile. */
struct iot_thread;
extern bool iot_has_threads;		/* the program */
extern bool iot_has_helpers;		/* libc, threads of its own */
/* Whether nobody but this thread and its handlers is in the process. */
static inline bool iot_is_alone(void)
{
	return !__atomic_load_n(&iot_has_threads, __ATOMIC_RELAXED) && !__atomic_load_n(&iot_has_helpers, __ATOMIC_RELAXED);
}
void iot_fetch_constant(uintptr_t low, uintptr_t high);
bool iot_on_stack(const struct iot_thread *t, const void *p, size_t n);
bool iot_stays(const struct iot_thread *t, const void *p, size_t n);
bool iot_fetch_used(const struct iot_thread *t, void *to, const void *from, size_t n);

#pragma GCC visibility pop

#endif
