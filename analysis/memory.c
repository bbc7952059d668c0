/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.c - memory that lives as long as an analysis, and memory that grows. */
#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "internal.h"

#define CHUNK 65536

void (*iota_no_memory)(void) = abort;

static void *checked(void *p)
{
	if (!p) {
		iota_no_memory();
		abort();
	}
	return p;
}

void *iota_malloc(size_t size)
{
	return checked(malloc(size));
}

void *iota_grow(void *p, size_t n, size_t size)
{
	return checked(reallocarray(p, n, size));
}

void *iota_tree_add(void **tree, void *key, int (*compare)(const void *, const void *))
{
	return *(void **)checked(tsearch(key, tree, compare));
}

void *iota_alloc(struct iota_memory *m, size_t size)
{
	struct iota_chunk *chunk;
	void *p;

	size = (size + 7) & ~(size_t)7;
	if (size > m->left) {
		m->left = size > CHUNK ? size : CHUNK;
		chunk = checked(calloc(1, sizeof(*chunk) + m->left));
		chunk->next = m->chunks;
		m->chunks = chunk;
		m->at = chunk->bytes;
	}
	p = m->at;
	m->at += size;
	m->left -= size;
	return p;
}

char *iota_keep(struct iota_memory *m, struct iota_bytes *b)
{
	char *copy = iota_alloc(m, b->len + 1);

	if (b->len)
		memcpy(copy, b->p, b->len);
	free(b->p);
	return copy;
}

void iota_memory_free(struct iota_memory *m)
{
	struct iota_chunk *chunk;

	while ((chunk = m->chunks)) {
		m->chunks = chunk->next;
		free(chunk);
	}
	m->at = NULL;
	m->left = 0;
}
