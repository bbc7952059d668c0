/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * setting.h - the values that settings of iotrace(7) may have: the recorder goes by
 * them, and iotrace run refuses what the recorder would ignore.  (Patterns are
 * regex.h's.)
 */
#ifndef IOT_SETTING_H
#define IOT_SETTING_H

#include <stdint.h>

#pragma GCC visibility push(hidden)
/* All return NULL, or what is wrong with the value and leave *to alone. */
/* A number with an optional k, M, G or T (powers of 1024), in the setting's range. */
const char *iot_setting_number(const char *setting, const char *value, uint64_t *to);
/* A list of families, as a mask of 1 << IOT_POSIX and so on. */
const char *iot_setting_families(const char *value, uint32_t *to);
/* How stacks are walked, as iot_config.stack_by. */
const char *iot_setting_stack_by(const char *value, uint32_t *to);
#pragma GCC visibility pop

#endif
