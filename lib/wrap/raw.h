/* SPDX-License-Identifier: BSD-3-Clause */
/* raw.h - system calls by number: what syscall(2) makes, and lib/dispatch is told of. */
#ifndef IOT_RAW_H
#define IOT_RAW_H

#include "thread.h"

#pragma GCC visibility push(hidden)

/* The row by which it is recorded; NULL: it does no I/O.  One that has none of its
   own is recorded as syscall, with its number. */
const struct iot_desc *iot_raw_row(long number);
/* Whether it is about memory that is of no file, and so left out. */
bool iot_raw_is_memory(long number, const unsigned long *a);
/* The descriptor that it is about, -1 if none. */
int iot_raw_fd(const struct iot_desc *desc, const unsigned long *a);
/* What the encoder is to be told, before the call. */
void iot_raw_args(const struct iot_desc *desc, long number, const unsigned long *a, uint64_t arg[7]);
/* Its result, as the row's function would return it. */
long iot_raw_result(const struct iot_desc *desc, const unsigned long *a, long ret);
/* What has to be done before the call. */
void iot_raw_before(struct iot_thread *t, const struct iot_desc *desc, long number, const unsigned long *a);

#pragma GCC visibility pop

#endif
