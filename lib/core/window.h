/* SPDX-License-Identifier: BSD-3-Clause */
/* window.h - the memory that a thread stores its records in: window.c, window-seal.c. */
#ifndef IOT_WINDOW_H
#define IOT_WINDOW_H

#include "thread.h"

#pragma GCC visibility push(hidden)

uint32_t iot_window_size(void);
bool iot_window_open(struct iot_thread *t);
bool iot_begun(const struct iot_thread *t);
void iot_window_flush(struct iot_thread *t);
void iot_window_clear(struct iot_thread *t);
void iot_window_finish(const struct iot_thread *t);
bool iot_window_has(const struct iot_thread *t, uint64_t start);
/* room for n words, in a busy one's window */
uint64_t *iot_reserve(struct iot_thread *t, uint32_t words);
void iot_commit(struct iot_thread *t, uint32_t words);
void iot_rebase(struct iot_thread *t, uint64_t base);
uint64_t *iot_define(struct iot_thread *t, uint32_t kind, uint32_t payload_words);
void iot_define_done(struct iot_thread *t, uint64_t *rec);
uint64_t *iot_put_bytes(uint64_t *p, const void *s, uint32_t len);
void iot_usage_begins(struct iot_thread *t, bool fresh);
void iot_usage_define(struct iot_thread *t);

/* window-seal.c */
void iot_window_seal(struct iot_thread *t);
bool iot_window_unseal(struct iot_thread *t);

#pragma GCC visibility pop

#endif
