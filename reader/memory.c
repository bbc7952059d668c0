/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.c - memory and id tables of the reader library. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "starve.h"

static _Thread_local struct iotr_guard *innermost;

void iotr_guard_begin(struct iotr_guard *guard)
{
	guard->outer = innermost;
	innermost = guard;
}

void iotr_guard_end(struct iotr_guard *guard)
{
	innermost = guard->outer;
}

/* There is a guard wherever memory is asked for; t/read/starved.t looks for places without. */
void *iotr_no_memory(void)
{
	struct iotr_guard *guard = innermost;

	if (!guard)
		abort();
	innermost = guard->outer;
	longjmp(guard->back, 1);
}

void iotr_say_starved(iotr_message_fn *fn, void *arg, const char *file)
{
	if (fn)
		fn(arg, IOTR_FATAL, file, "out of memory");
}

int iotr_starved_log(struct iotr_log *log)
{
	iotr_say_starved(log->fn, log->fn_arg, log->file);
	return -1;
}

void *iotr_alloc(size_t size)
{
	void *p = calloc(1, size ? size : 1);

	return p ? p : iotr_no_memory();
}

/* Make room for want items; new ones are not zeroed. */
void *iotr_grow(void *p, size_t *cap, size_t want, size_t item)
{
	size_t n = *cap;

	if (want <= n)
		return p;
	n = n + n / 2 < want ? want : n + n / 2;
	if (n < 8)
		n = 8;
	p = reallocarray(p, n, item);
	if (!p)
		iotr_no_memory();
	*cap = n;
	return p;
}

/* The same for what mostly has one item, and of which there may be very many. */
void *iotr_grow_few(void *p, size_t *cap, size_t want, size_t item)
{
	if (want != 1 || *cap)
		return iotr_grow(p, cap, want, item);
	*cap = 1;
	return iotr_alloc(item);
}

struct iotr_arena_chunk {
	struct iotr_arena_chunk *next;
	size_t used, size;
	_Alignas(16) char data[];
};

/* Most arenas stay small: chunks grow up to this. */
#define CHUNK_MIN 4096u
#define CHUNK	  65536u

void *iotr_arena_alloc(struct iotr_arena *a, size_t size)
{
	struct iotr_arena_chunk *c = a->chunk;
	void *p;

	size = (size + 15) & ~(size_t)15;
	if (!c || c->size - c->used < size) {
		size_t chunk = !c ? CHUNK_MIN : c->size < CHUNK / 2 ? 2 * c->size : CHUNK;
		size_t n = size > chunk / 4 ? size : chunk;

		c = iotr_alloc(sizeof(*c) + n);
		c->size = n;
		/* a chunk of its own for something big goes behind the current one */
		if (n == size && a->chunk) {
			c->next = a->chunk->next;
			a->chunk->next = c;
		} else {
			c->next = a->chunk;
			a->chunk = c;
		}
	}
	p = c->data + c->used;
	c->used += size;
	return p;
}

char *iotr_arena_copy(struct iotr_arena *a, const void *bytes, size_t len)
{
	char *p = iotr_arena_alloc(a, len + 1);

	if (len)
		memcpy(p, bytes, len);
	p[len] = '\0';
	return p;
}

void iotr_arena_free(struct iotr_arena *a)
{
	struct iotr_arena_chunk *c, *next;

	for (c = a->chunk; c; c = next) {
		next = c->next;
		free(c);
	}
	a->chunk = NULL;
}

/* The same in all maps of the process, and odd. */
static uint64_t secret(void)
{
	const void *random = (const void *)getauxval(AT_RANDOM);
	uint64_t s = 0;

	if (random)
		memcpy(&s, random, sizeof(s));
	return (s ^ 0x9e3779b97f4a7c15ULL) | 1;
}

static void idmap_double(struct iotr_idmap *m)
{
	struct iotr_idmap old = *m;
	size_t i, size = old.value ? (old.mask + 1) * 2 : 64;
	uint64_t *key = calloc(size, sizeof(*key));
	void **value = calloc(size, sizeof(*value));

	if (!key || !value) {
		free(key);
		free(value);
		iotr_no_memory();
	}
	m->secret = secret();
	m->mask = size - 1;
	m->key = key;
	m->value = value;
	for (i = 0; old.value && i <= old.mask; i++) {
		if (old.value[i]) {
			size_t j = iotr_idmap_at(m, old.key[i]);

			m->key[j] = old.key[i];
			m->value[j] = old.value[i];
		}
	}
	free(old.key);
	free(old.value);
}

void iotr_idmap_put(struct iotr_idmap *m, uint64_t id, void *value)
{
	size_t i;

	if (!m->value || m->n * 2 > m->mask)
		idmap_double(m);
	i = iotr_idmap_at(m, id);
	if (!m->value[i])
		m->n++;
	m->key[i] = id;
	m->value[i] = value;
}

void iotr_idmap_free(struct iotr_idmap *m)
{
	free(m->key);
	free(m->value);
	*m = (struct iotr_idmap){0};
}
