/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.h - the recorder's own memory, the program's, and text: without malloc and stdio. */
#ifndef IOT_MEMORY_H
#define IOT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* fetch.c: the program's memory, at addresses that may be bad.  False, or NULL, if they
   are: then what is at `to' is anything. */
bool iot_fetch(void *to, const void *from, size_t n);
bool iot_store(void *to, const void *from, size_t n);
const char *iot_fetch_text(char *to, uint32_t size, const char *from);
bool iot_is_text(const char *s, uintptr_t *known);
bool iot_is_memory(const void *p, size_t n);

/* arena.c: memory without malloc */
void *iot_map(size_t size);
void iot_unmap(void *p, size_t size);
void *iot_map_wiped(size_t size);
void *iot_map_shared(size_t size, int fd, uint64_t off, long *error);
void iot_unmap_shared(void *p, size_t size);

/* mem.c: pieces of it, and text without stdio */
struct iot_pool {
	uint64_t head;
	uint32_t size;			/* of a piece, a multiple of 8 and small */
};
void *iot_pool_get(struct iot_pool *p);
void *iot_pool_pop(struct iot_pool *p);
void iot_pool_put(struct iot_pool *p, void *piece);
struct iot_text {
	char *buf;
	uint32_t len, cap;
};
void iot_puts(struct iot_text *x, const char *s);
void iot_putn(struct iot_text *x, const char *s, size_t n);
void iot_putu(struct iot_text *x, uint64_t v);
void iot_put_escaped(struct iot_text *x, const char *s, size_t n);

#pragma GCC visibility pop

#endif
