/* SPDX-License-Identifier: BSD-3-Clause */
/* arena.h - memory without malloc: arena.c. */
#ifndef IOT_ARENA_H
#define IOT_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pool.h"

#pragma GCC visibility push(hidden)

#define IOT_TEXT_CAP (256u << 10)	/* for text, for a moment: the same piece each time */
void *iot_map(size_t size);
void *iot_map_once(void *where, size_t size);
void iot_unmap(void *p, size_t size);
void *iot_map_wiped(size_t size);
void *iot_map_shared(size_t size, int fd, uint64_t off, long *error);
void *iot_map_inherited(size_t size, int fd, uint64_t off, long *error);
long iot_map_unforked(void *p, size_t size);
void iot_unmap_inherited(void *p, size_t size);
void iot_unmap_shared(void *p, size_t size);
bool iot_map_is_ample(void);

/* A piece with anything in it, of new memory if none came back; or NULL. */
void *iot_pool_get(struct iot_pool *p);
/* The same for a thread's own piece: slot is the address of its pointer, of any type, which is NULL
   until the first.  False: there is no memory. */
bool iot_pool_own(struct iot_pool *p, void *slot);
void iot_pool_disown(struct iot_pool *p, void *slot);

#pragma GCC visibility pop

#endif
