/* SPDX-License-Identifier: BSD-3-Clause */
/* bytes.h - lengths, hashes and comparisons of bytes, in words.  memcpy and its like: bytes.c. */
#ifndef IOT_BYTES_H
#define IOT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Not 0 if a byte of the word is 0; the lowest bit that is set is the first such byte's. */
static inline uint64_t iot_zeros(uint64_t w)
{
	return (w - 0x0101010101010101ULL) & ~w & 0x8080808080808080ULL;
}

/* strlen, in aligned words: what is read beyond the end lies in the same page. */
__attribute__((no_sanitize("address"))) static inline size_t iot_length(const char *s)
{
	typedef uint64_t word __attribute__((may_alias));
	const char *p = (const char *)((uintptr_t)s & ~7UL);
	uint64_t before = (uintptr_t)s % 8 * 8, found;

	found = iot_zeros(*(const word *)p | ((1ULL << before) - 1));
	while (!found)
		found = iot_zeros(*(const word *)(p += 8));
	return (size_t)(p - s) + (size_t)__builtin_ctzll(found) / 8;
}

/* Of bytes; never 0.  Texts with the same one are easily made. */
static inline uint64_t iot_hash(const char *s, uint32_t len)
{
	uint64_t h = 0x9e3779b97f4a7c15ULL ^ len, w = 0;
	const char *end = s + len;

	for (; s + 8 < end; s += 8) {
		__builtin_memcpy(&w, s, 8);
		h = (h ^ w) * 0xff51afd7ed558ccdULL;
		h ^= h >> 32;
	}
	if (len >= 8)	/* some of them once more */
		__builtin_memcpy(&w, end - 8, 8);
	else
		while (s < end)
			w = w << 8 | (uint8_t)*s++;
	h = (h ^ w) * 0xc4ceb9fe1a85ec53ULL;
	h ^= h >> 29;
	return h + !h;
}

static inline uint64_t iot_eight(const char *s)
{
	uint64_t w;

	__builtin_memcpy(&w, s, 8);
	return w;
}

/* Whether n bytes are the same. */
static inline bool iot_same(const char *a, const char *b, uint32_t n)
{
	if (n >= 8) {
		for (uint32_t i = 0; i < n - 8; i += 8)
			if (iot_eight(a + i) != iot_eight(b + i))
				return false;
		return iot_eight(a + n - 8) == iot_eight(b + n - 8);
	}
	while (n && *a == *b)
		a++, b++, n--;
	return !n;
}

#endif
