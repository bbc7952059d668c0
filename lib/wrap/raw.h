/* SPDX-License-Identifier: BSD-3-Clause */
/* raw.h - system calls by number: what syscall(2) makes, and lib/dispatch is told of. */
#ifndef IOT_RAW_H
#define IOT_RAW_H

#include "arg-structs.h"
#include "shared-tls.h"
#include "thread.h"

#pragma GCC visibility push(hidden)

/* The row by which it is recorded; NULL: it does no I/O.  One that has none of its
   own is recorded as syscall, with its number. */
const struct iot_desc *iot_raw_row(long number);
/* The same of a call with these arguments. */
const struct iot_desc *iot_raw_row_of(long number, const unsigned long *a);
/* Whether it is about memory that is of no file, and so left out. */
bool iot_raw_is_memory(long number, const unsigned long *a);
/* The descriptor that it is about, -1 if none. */
int iot_raw_fd(const struct iot_desc *desc, const unsigned long *a);
/* What the encoder is to be told, before the call. */
void iot_raw_args(const struct iot_desc *desc, long number, const unsigned long *a, uint64_t arg[7]);
/* The same of a row that is not syscall's. */
static inline void iot_raw_words(const struct iot_desc *desc, const unsigned long *a, uint64_t arg[6])
{
	for (uint32_t i = 0; i < 6; i++)
		arg[i] = i < desc->n && desc->kind[i] == IOT_K_TIMESPEC ?
				 iot_fetch_time(iot_mine(), (const void *)a[i], 1) :
				 a[i];
}
/* Its result, as the row's function would return it. */
long iot_raw_result(const struct iot_desc *desc, const unsigned long *a, long ret);
/* What is to be recorded in it, once it has begun, and before it is left.  ret: what
   syscall(2) returns. */
void iot_raw_begun(struct iot_call *c, long number, const unsigned long *a);
void iot_raw_after(const struct iot_call *c, long number, const unsigned long *a, long ret);
/* What has to be done before the call. */
void iot_raw_before(struct iot_thread *t, const struct iot_desc *desc, long number, const unsigned long *a);

#pragma GCC visibility pop

#endif
