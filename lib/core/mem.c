/* SPDX-License-Identifier: BSD-3-Clause */
/* mem.c - pools of small pieces, and text, without malloc and stdio. */
#include <string.h>

#include "iot.h"

/*
 * Pools: free pieces of one size, linked through their first word.  The head
 * counts in its upper 16 bits, so that one that came back in the meantime is
 * not taken for one that never left.  Memory of a pool is never unmapped: a
 * piece's first word can be read whoever has it.
 */
#define POINTER ((1ULL << 48) - 1)

static void push(struct iot_pool *p, void *first, void *last)
{
	uint64_t head = __atomic_load_n(&p->head, __ATOMIC_RELAXED), to;

	do {
		*(uint64_t *)last = head & POINTER;
		to = (uintptr_t)first | ((head & ~POINTER) + POINTER + 1);
	} while (!__atomic_compare_exchange_n(&p->head, &head, to, false, __ATOMIC_RELEASE,
					      __ATOMIC_RELAXED));
}

void iot_pool_put(struct iot_pool *p, void *piece)
{
	push(p, piece, piece);
}

/* A piece that came back, with anything in it, or NULL. */
void *iot_pool_pop(struct iot_pool *p)
{
	uint64_t head = __atomic_load_n(&p->head, __ATOMIC_ACQUIRE), to;

	while (head & POINTER) {
		to = __atomic_load_n((uint64_t *)(uintptr_t)(head & POINTER), __ATOMIC_RELAXED);
		to = (to & POINTER) | ((head & ~POINTER) + POINTER + 1);
		if (__atomic_compare_exchange_n(&p->head, &head, to, false, __ATOMIC_ACQUIRE,
						__ATOMIC_ACQUIRE))
			return (void *)(uintptr_t)(head & POINTER);
	}
	return NULL;
}

/* A piece with anything in it, or NULL. */
void *iot_pool_get(struct iot_pool *p)
{
	uint32_t n = (uint32_t)IOT_PAGE / p->size;
	uint8_t *fresh = iot_pool_pop(p);

	if (fresh)
		return fresh;
	fresh = iot_map(IOT_PAGE);
	if (!fresh)
		return NULL;
	for (uint32_t i = 1; i + 1 < n; i++)
		*(uint64_t *)(fresh + i * p->size) = (uintptr_t)(fresh + (i + 1) * p->size);
	push(p, fresh + p->size, fresh + (n - 1) * p->size);
	return fresh;
}

void iot_putn(struct iot_text *x, const char *s, size_t n)
{
	if (n > x->cap - x->len)
		n = x->cap - x->len;
	memcpy(x->buf + x->len, s, n);
	x->len += (uint32_t)n;
}

void iot_puts(struct iot_text *x, const char *s)
{
	iot_putn(x, s, strlen(s));
}

void iot_putu(struct iot_text *x, uint64_t v)
{
	char d[20];
	int i = sizeof(d);

	do
		d[--i] = (char)('0' + v % 10);
	while (v /= 10);
	iot_putn(x, d + i, sizeof(d) - (size_t)i);
}

/* As values stand in the header text. */
void iot_put_escaped(struct iot_text *x, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c >= 0x20 && c != '\\') {
			iot_putn(x, s + i, 1);
		} else {
			char o[4] = { '\\', (char)('0' + (c >> 6)), (char)('0' + (c >> 3 & 7)),
				      (char)('0' + (c & 7)) };
			iot_putn(x, o, 4);
		}
	}
}
