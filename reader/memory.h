/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.h - memory of the reader's, and maps from ids. */
#ifndef IOTR_MEMORY_H
#define IOTR_MEMORY_H

#include <stddef.h>
#include <stdint.h>

void *iotr_alloc(size_t size); /* zeroed; never NULL, see starve.h */
void *iotr_no_memory(void) __attribute__((noreturn));
void *iotr_grow(void *p, size_t *cap, size_t want, size_t item);
void *iotr_grow_few(void *p, size_t *cap, size_t want, size_t item);

/* FNV-1a: of these bytes, behind those that have the hash h already; IOTR_HASH at first. */
#define IOTR_HASH 0xcbf29ce484222325u
static inline uint64_t iotr_hash(uint64_t h, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)bytes[i]) * 0x100000001b3u;
	return h;
}

/* What is freed all at once. */
struct iotr_arena {
	struct iotr_arena_chunk *chunk;
};
void *iotr_arena_alloc(struct iotr_arena *a, size_t size); /* zeroed, aligned to 8 */
char *iotr_arena_copy(struct iotr_arena *a, const void *bytes, size_t len); /* adds '\0' */
void iotr_arena_free(struct iotr_arena *a);

/* From ids, as they come in logs, to pointers.  Most are numbered from 1 on, and lie in an array by their ids: near. */
struct iotr_idmap {
	void **near;
	size_t n_near; /* of the array: ids below that are there, or nowhere */
	uint64_t *key; /* of others, and their values: a hash table */
	void **value;
	size_t mask, n_far;
	size_t n; /* of all */
	uint64_t secret; /* ids may be made to hurt: the multiplier is one that they can't know */
};

/* Where an id is that is not near, or where it would go: a place without a value.  There is a hash table. */
static inline size_t iotr_idmap_at(const struct iotr_idmap *m, uint64_t id)
{
	uint64_t h = id * m->secret;
	size_t i = (size_t)((h ^ h >> 29) >> 13) & m->mask;

	while (m->value[i] && m->key[i] != id)
		i = (i + 1) & m->mask;
	return i;
}

/* NULL: nothing was put there. */
static inline void *iotr_idmap_get(const struct iotr_idmap *m, uint64_t id)
{
	if (id < m->n_near)
		return m->near[id];
	return m->value ? m->value[iotr_idmap_at(m, id)] : NULL;
}

void iotr_idmap_put(struct iotr_idmap *m, uint64_t id, void *value);
/* One after the other: at is 0 at first; NULL behind the last one. */
void *iotr_idmap_next(const struct iotr_idmap *m, size_t *at, uint64_t *id);
void iotr_idmap_free(struct iotr_idmap *m);

#endif
