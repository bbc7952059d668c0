/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * state.c - variables that all of the recorder looks at, and what belongs to no file more
 * than to another.  state.h says what they are.
 */
#include "state.h"

#include "python.h"

struct iot_each iot_each;
__thread struct iot_thread *iot_self;
__thread const struct iot_desc *iot_lost_desc;
__thread uint32_t iot_thread_flags;
uint32_t iot_families, iot_whole;
const volatile uint32_t *iot_gate = &iot_whole;
uint32_t iot_pauses;
uint32_t iot_unshared;
int iot_log_options;
bool iot_dispatching;
bool iot_log_given;
struct iot_python *iot_python;
