/* SPDX-License-Identifier: BSD-3-Clause */
/* passed-fds.h - descriptors that messages take to other processes, or bring: passed-fds.c. */
#ifndef IOT_PASSED_FDS_H
#define IOT_PASSED_FDS_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_thread;
void iot_fds_sent(const void *msg);
void iot_fds_sent_many(const void *vec, uint32_t n);
void iot_fds_expected(int fd, const void *vec, uint32_t n);
void iot_fds_brought(struct iot_thread *t, const void *msg);
void iot_fds_brought_many(struct iot_thread *t, const void *vec, uint32_t n);

#pragma GCC visibility pop

#endif
