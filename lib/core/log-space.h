/* SPDX-License-Identifier: BSD-3-Clause */
/* log-space.h - space in the log, which is written or mapped: log-space.c. */
#ifndef IOT_LOG_SPACE_H
#define IOT_LOG_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "iotrace-format.h"

#pragma GCC visibility push(hidden)

uint64_t iot_log_alloc(uint64_t size, uint64_t align);
uint64_t iot_log_space(uint64_t size);
void *iot_log_map(uint64_t off, uint64_t size, bool inherited);
bool iot_log_unfork(void *p, uint64_t size);
void iot_log_unmap(void *p, uint64_t size, bool inherited);
void *iot_log_map_header(int fd, long *error);
void iot_log_unmap_front(void);
struct iot_log_part {
	uint64_t off, size;
};
/* a block to be written, with its records and their checksum */
struct iot_piece {
	struct iot_block head;
	const void *records;
	uint64_t sum;
};
bool iot_log_write(const struct iot_piece *piece, uint32_t n, uint64_t off);
/* for the log's beginning: */
uint64_t iot_log_size_limit(void);
long iot_log_provide(int fd, uint64_t off, uint64_t size);

#pragma GCC visibility pop

#endif
