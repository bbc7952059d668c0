/* SPDX-License-Identifier: BSD-3-Clause */
/* python-frames.h - frames of Python: python.c and its kin, which a static executable has only if
   it may have Python. */
#ifndef IOT_PYTHON_FRAMES_H
#define IOT_PYTHON_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_memo;
struct iot_thread;

__attribute__((weak)) void iot_python_find(void);
__attribute__((weak)) void iot_python_forget(void);
__attribute__((weak)) uint64_t iot_python_look(struct iot_thread *t);
__attribute__((weak)) uint32_t iot_python_merge(struct iot_thread *t, struct iot_memo *m, uint32_t n, bool *known);

#pragma GCC visibility pop

#endif
