/* SPDX-License-Identifier: BSD-3-Clause */
/* auxv.h - what the kernel told the process when it began: auxv.c. */
#ifndef IOT_AUXV_H
#define IOT_AUXV_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

uint64_t iot_auxv(uint64_t type);

#pragma GCC visibility pop

#endif
