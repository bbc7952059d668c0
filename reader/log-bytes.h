/* SPDX-License-Identifier: BSD-3-Clause */
/* log-bytes.h - the bytes of a log: from its file, packed or not, or from memory. */
#ifndef IOTR_LOG_BYTES_H
#define IOTR_LOG_BYTES_H

#include "log-data.h"

/* log-files.c: files that are opened when they are needed */
int iotr_descriptor_open(struct iotr_log *log); /* -1: said why not */
/* To be given back before the next one is asked for; -1: said why, or it has none. */
int iotr_descriptor_get(struct iotr_log *log);
void iotr_descriptor_put(struct iotr_log *log);
void iotr_descriptor_close(struct iotr_log *log);

/* bytes.c */
struct iotr_log *iotr_log_new(const char *file, iotr_message_fn *fn, void *arg);
/* Of which only the bytes can be read yet; NULL: said why not. */
struct iotr_log *iotr_log_bytes(const char *file, iotr_message_fn *fn, void *arg);
struct iotr_log *iotr_log_bytes_mem(const void *data, size_t size, const char *name,
				    iotr_message_fn *fn, void *arg);
void iotr_log_bytes_close(struct iotr_log *log);
/* What iotr_log_read and iotr_log_data do. */
size_t iotr_bytes_read(struct iotr_log *log, void *buf, size_t size, uint64_t off);
uint64_t iotr_bytes_data(struct iotr_log *log, uint64_t off);
/* The log may have grown. */
void iotr_log_resize(struct iotr_log *log);

/* file.c: of the file, packed or not */
size_t iotr_file_read(struct iotr_log *log, void *buf, size_t size, uint64_t off);
uint64_t iotr_file_size(struct iotr_log *log);

#endif
