/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sizes.c - how large the transfers of a file are: how many lie between two powers of two.
 * A file has few such sizes, and a job has many files: so each keeps those that it has.
 */
#include "config.h"

#include "parts.h"

/* Larger transfers are all of one size. */
#define MAX_BITS 33

struct iota_sizes {
	struct iota_sizes *next;
	uint64_t bits; /* of the size */
	uint64_t n, sum;
};

static struct iota_sizes *of_bits(struct iota *a, struct iota_sizes **sizes, uint64_t bits)
{
	struct iota_sizes *s = *sizes;

	while (s && s->bits != bits)
		s = s->next;
	if (s)
		return s;
	s = iota_alloc(&a->memory, sizeof(*s));
	s->bits = bits;
	s->next = *sizes;
	return *sizes = s;
}

static void add(struct iota *a, struct iota_sizes **to, uint64_t bits, uint64_t n, uint64_t sum)
{
	struct iota_sizes *s = of_bits(a, to, bits);

	s->n += n;
	s->sum += sum;
}

void iota_sizes_count(struct iota *a, struct iota_sizes **sizes, uint64_t size)
{
	unsigned bits = size ? 64 - (unsigned)__builtin_clzll(size) : 0;

	add(a, sizes, bits < MAX_BITS ? bits : MAX_BITS, 1, size);
}

void iota_sizes_add(struct iota *a, struct iota_sizes **to, const struct iota_sizes *from)
{
	for (; from; from = from->next)
		add(a, to, from->bits, from->n, from->sum);
}

/* The mean of those between two powers of two that are most frequent; of two that are it as
   often, the bigger ones. */
uint64_t iota_sizes_typical(const struct iota_sizes *s)
{
	const struct iota_sizes *best = s;

	for (; s; s = s->next)
		if (s->n > best->n || (s->n == best->n && s->bits > best->bits))
			best = s;
	return best ? best->sum / best->n : 0;
}

/* ---- as a part that another process takes ---- */

void iota_sizes_put(struct iota_bytes *o, const struct iota_sizes *s)
{
	const struct iota_sizes *p;
	uint64_t n = 0;

	for (p = s; p; p = p->next)
		n++;
	iota_put_word(o, n);
	for (; s; s = s->next) {
		iota_put_word(o, s->bits);
		iota_put_word(o, s->n);
		iota_put_word(o, s->sum);
	}
}

void iota_sizes_take(struct iota_in *in, struct iota_sizes **to)
{
	uint64_t n = iota_take_word(in), bits, count, sum;

	for (; n && !in->bad; n--) {
		bits = iota_take_word(in);
		count = iota_take_word(in);
		sum = iota_take_word(in);
		if (bits <= MAX_BITS && count)
			add(in->a, to, bits, count, sum);
	}
}
