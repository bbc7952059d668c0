/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hash.c - hashes of bytes, and the rows of a table by their keys.
 *
 * Logs are not trusted: the hash is seeded, so that nobody can make a log whose keys all have the
 * same one.
 */
#include "config.h"

#include <stdlib.h>
#include <sys/random.h>

#include "internal.h"

uint64_t iota_hash(const void *bytes, size_t len)
{
	static uint64_t seed[2];
	const char *p = bytes;
	uint64_t h, word;

	if (!seed[1]) {
		if (getrandom(seed, sizeof(seed), GRND_NONBLOCK) < 0)
			seed[0] = (uintptr_t)seed;
		seed[1] |= 1;
	}
	for (h = seed[0] ^ len; len; p += sizeof(word), len -= len < sizeof(word) ? len : sizeof(word)) {
		word = 0;
		memcpy(&word, p, len < sizeof(word) ? len : sizeof(word));
		h = (h ^ word) * seed[1] * 0x9e3779b97f4a7c15u;
		h ^= h >> 32;
	}
	return h;
}

static bool has_key(const struct iota_row *row, const char *key, size_t len)
{
	return row->key_len == len && !memcmp(row->key, key, len);
}

/* The place of the row, or the one where it would be; there is one that is empty. */
static struct iota_keyed *place_of(const struct iota_keys *k, uint64_t hash, const char *key, size_t len)
{
	size_t at = hash & (k->size - 1);

	while (k->row[at].row && (k->row[at].hash != hash || !has_key(k->row[at].row, key, len)))
		at = (at + 1) & (k->size - 1);
	return &k->row[at];
}

struct iota_row *iota_keys_find(const struct iota_keys *k, const char *key, size_t len)
{
	return k->size ? place_of(k, iota_hash(key, len), key, len)->row : NULL;
}

static void grow(struct iota_keys *k)
{
	struct iota_keyed *before = k->row;
	size_t n = k->size, i, at;

	k->size = n ? 2 * n : 64;
	k->row = iota_grow(NULL, k->size, sizeof(*k->row));
	memset(k->row, 0, k->size * sizeof(*k->row));
	for (i = 0; i < n; i++) {
		if (!before[i].row)
			continue;
		for (at = before[i].hash & (k->size - 1); k->row[at].row; at = (at + 1) & (k->size - 1))
			;
		k->row[at] = before[i];
	}
	free(before);
}

void iota_keys_add(struct iota_keys *k, struct iota_row *row)
{
	uint64_t hash = iota_hash(row->key, row->key_len);

	if (4 * k->n >= 3 * k->size)
		grow(k);
	*place_of(k, hash, row->key, row->key_len) = (struct iota_keyed){row, hash};
	k->n++;
}

void iota_keys_free(struct iota_keys *k)
{
	free(k->row);
	*k = (struct iota_keys){0};
}
