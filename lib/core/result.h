/* SPDX-License-Identifier: BSD-3-Clause */
/* result.h - what a result means: result.c. */
#ifndef IOT_RESULT_H
#define IOT_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_desc;

bool iot_failed(const struct iot_desc *desc, long ret);
uint64_t iot_result_value(const struct iot_desc *desc, long ret, bool failed);
int iot_stream_error(const struct iot_desc *desc, const uint64_t *arg, int err);

#pragma GCC visibility pop

#endif
