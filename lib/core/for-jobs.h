/* SPDX-License-Identifier: BSD-3-Clause */
/* for-jobs.h - what the ranks of a job need of the recorder, and no other program: for-jobs.c. */
#ifndef IOT_FOR_JOBS_H
#define IOT_FOR_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_thread;

const char *iot_log_name(void);
/* So many bytes of a file, or fewer where it ends; -errno.  The same of the log. */
long iot_read_all(int fd, void *buf, size_t size, uint64_t off);
long iot_log_read(void *buf, size_t size, uint64_t off);
void iot_log_renew(void);
void iot_note(uint32_t kind, const uint64_t *words, uint32_t n);
bool iot_thread_alone(void);
struct iot_thread *iot_thread_mute(void);
void iot_thread_unmute(struct iot_thread *t);

#pragma GCC visibility pop

#endif
