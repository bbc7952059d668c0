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

/* What is freed all at once. */
struct iotr_arena {
	struct iotr_arena_chunk *chunk;
};
void *iotr_arena_alloc(struct iotr_arena *a, size_t size); /* zeroed, aligned to 16 */
char *iotr_arena_copy(struct iotr_arena *a, const void *bytes, size_t len); /* adds '\0' */
void iotr_arena_free(struct iotr_arena *a);

/* From ids, as they come in logs, to pointers. */
struct iotr_idmap {
	uint64_t *key;
	void **value;
	size_t mask, n;
	uint64_t secret; /* ids may be made to hurt: the multiplier is one that they can't know */
};

/* Where id is, or where it would go: a place without a value.  The map has been put something in. */
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
	return m->value ? m->value[iotr_idmap_at(m, id)] : NULL;
}

void iotr_idmap_put(struct iotr_idmap *m, uint64_t id, void *value);
void iotr_idmap_free(struct iotr_idmap *m);

#endif
