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
	_Alignas(8) char data[];
};

/* Most arenas stay small: chunks grow up to this. */
#define CHUNK_MIN 4096u
#define CHUNK	  65536u

void *iotr_arena_alloc(struct iotr_arena *a, size_t size)
{
	struct iotr_arena_chunk *c = a->chunk;
	void *p;

	size = (size + 7) & ~(size_t)7;
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

static void put_far(struct iotr_idmap *m, uint64_t id, void *value);

/* A hash table of that size, which has what the one before had. */
static void make_far(struct iotr_idmap *m, size_t size)
{
	struct iotr_idmap old = *m;
	uint64_t *key = calloc(size, sizeof(*key));
	void **value = calloc(size, sizeof(*value));
	size_t i;

	if (!key || !value) {
		free(key);
		free(value);
		iotr_no_memory();
	}
	m->secret = secret();
	m->mask = size - 1;
	m->n_far = 0;
	m->key = key;
	m->value = value;
	for (i = 0; old.value && i <= old.mask; i++)
		if (old.value[i] && old.key[i] < m->n_near)
			m->near[old.key[i]] = old.value[i];
		else if (old.value[i])
			put_far(m, old.key[i], old.value[i]);
	free(old.key);
	free(old.value);
}

static void put_far(struct iotr_idmap *m, uint64_t id, void *value)
{
	size_t i;

	if (!m->value || m->n_far * 2 > m->mask)
		make_far(m, m->value ? (m->mask + 1) * 2 : 64);
	i = iotr_idmap_at(m, id);
	m->n_far += !m->value[i];
	m->key[i] = id;
	m->value[i] = value;
}

/* The array has no more room than so many ids of a log may well come to, whatever the log says. */
static bool may_be_near(const struct iotr_idmap *m, uint64_t id)
{
	return id < 2 * (uint64_t)m->n + 16;
}

static void make_near(struct iotr_idmap *m, uint64_t id)
{
	size_t size = (size_t)id + (size_t)id / 2 + 16;
	void **near = reallocarray(m->near, size, sizeof(*near));

	if (!near)
		iotr_no_memory();
	memset(near + m->n_near, 0, (size - m->n_near) * sizeof(*near));
	m->near = near;
	m->n_near = size;
	if (m->value)
		make_far(m, m->mask + 1);
}

void iotr_idmap_put(struct iotr_idmap *m, uint64_t id, void *value)
{
	bool is_new = !iotr_idmap_get(m, id);

	if (id >= m->n_near && may_be_near(m, id))
		make_near(m, id);
	if (id < m->n_near)
		m->near[id] = value;
	else
		put_far(m, id, value);
	m->n += is_new;
}

void *iotr_idmap_next(const struct iotr_idmap *m, size_t *at, uint64_t *id)
{
	size_t i;

	for (; *at < m->n_near; ++*at)
		if (m->near[*at]) {
			*id = *at;
			return m->near[(*at)++];
		}
	for (; m->value && (i = *at - m->n_near) <= m->mask; ++*at)
		if (m->value[i]) {
			*id = m->key[i];
			++*at;
			return m->value[i];
		}
	return NULL;
}

void iotr_idmap_free(struct iotr_idmap *m)
{
	free(m->near);
	free(m->key);
	free(m->value);
	*m = (struct iotr_idmap){0};
}
