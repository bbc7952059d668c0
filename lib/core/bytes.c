/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bytes.c - memcpy, strlen and their like for the recorder alone.  A program may
 * have functions of these names, which count, or lock, or do I/O: whoever calls them
 * on the way of a call calls the program.  The recorder's sources say memcpy as
 * everybody's do, and the compiler adds calls to it of its own; flags.mk has both
 * renamed in the object, to what stands here.
 *
 * A compiler that finds a loop which copies makes it a call of memcpy, which here
 * would be a call of itself: STEP hides from it what a loop does.
 */
#include "bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STEP() __asm__ __volatile__("" : : : "memory")

#pragma GCC visibility push(hidden)
void *iot_memcpy(void *to, const void *from, size_t n);
void *iot_memmove(void *to, const void *from, size_t n);
void *iot_memset(void *to, int c, size_t n);
int iot_memcmp(const void *a, const void *b, size_t n);
void *iot_memchr(const void *s, int c, size_t n);
size_t iot_strlen(const char *s);
size_t iot_strnlen(const char *s, size_t n);
int iot_strcmp(const char *a, const char *b);
int iot_strncmp(const char *a, const char *b, size_t n);
char *iot_strchr(const char *s, int c);
char *iot_strrchr(const char *s, int c);
size_t iot_strspn(const char *s, const char *set);
size_t iot_strcspn(const char *s, const char *set);
char *iot_strstr(const char *s, const char *part);
char *iot_strcpy(char *to, const char *from);
#pragma GCC visibility pop

/* pieces of memory at any address */
typedef uint64_t wide __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint64_t eight __attribute__((aligned(1), may_alias));
typedef uint32_t four __attribute__((aligned(1), may_alias));
typedef uint16_t two __attribute__((aligned(1), may_alias));
/* an aligned word: what is read of it beyond a text's end lies in the same page */
typedef uint64_t word __attribute__((may_alias));

#define ONES  0x0101010101010101ULL

/* The first and the last bytes, which may overlap: all is read before any is written. */
#define BOTH_ENDS(type)                                                                      \
	do {                                                                                 \
		type first = *(const type *)f, last = *(const type *)(f + n - sizeof(type)); \
                                                                                             \
		*(type *)t = first;                                                          \
		*(type *)(t + n - sizeof(type)) = last;                                      \
	} while (0)

static inline void copy_few(uint8_t *t, const uint8_t *f, size_t n)
{
	if (n >= 16)
		BOTH_ENDS(wide);
	else if (n >= 8)
		BOTH_ENDS(eight);
	else if (n >= 4)
		BOTH_ENDS(four);
	else if (n >= 2)
		BOTH_ENDS(two);
	else if (n)
		*t = *f;
}

void *iot_memmove(void *to, const void *from, size_t n)
{
	uint8_t *t = to, *end = t + n - 16;
	const uint8_t *f = from;

	if (n <= 32) {
		copy_few(t, f, n);
	} else if ((uintptr_t)t - (uintptr_t)f >= n) {
		wide last = *(const wide *)(f + n - 16);

		for (; t < end; t += 16, f += 16) {
			*(wide *)t = *(const wide *)f;
			STEP();
		}
		*(wide *)end = last;
	} else {
		wide first = *(const wide *)f;

		for (; n > 16; n -= 16) {
			*(wide *)(t + n - 16) = *(const wide *)(f + n - 16);
			STEP();
		}
		*(wide *)t = first;
	}
	return to;
}

void *iot_memcpy(void *to, const void *from, size_t n) __attribute__((alias("iot_memmove")));

void *iot_memset(void *to, int c, size_t n)
{
	uint64_t w = (uint8_t)c * ONES;
	uint8_t *t = to, *end = t + n;

	for (; end - t >= 16; t += 16) {
		*(wide *)t = (wide){ w, w };
		STEP();
	}
	for (; t < end; t++) {
		*t = (uint8_t)c;
		STEP();
	}
	return to;
}

int iot_memcmp(const void *a, const void *b, size_t n)
{
	const uint8_t *p = a, *q = b;

	for (; n >= 8 && *(const eight *)p == *(const eight *)q; n -= 8, p += 8, q += 8)
		STEP();
	for (; n; n--, p++, q++)
		if (*p != *q)
			return *p - *q;
	return 0;
}

void *iot_memchr(const void *s, int c, size_t n)
{
	const uint8_t *p = s, *end = p + n;
	uint64_t w = (uint8_t)c * ONES;

	if (end < p)
		end = (const uint8_t *)UINTPTR_MAX;
	for (; p < end; p++) {
		while ((uintptr_t)p % 8 == 0 && end - p >= 8 && !iot_zeros(*(const word *)p ^ w))
			p += 8;
		if (p < end && *p == (uint8_t)c)
			return (void *)p;
	}
	return NULL;
}

size_t iot_strlen(const char *s)
{
	return iot_length(s);
}

size_t iot_strnlen(const char *s, size_t n)
{
	const char *end = iot_memchr(s, 0, n);

	return end ? (size_t)(end - s) : n;
}

int iot_strncmp(const char *a, const char *b, size_t n)
{
	for (; n && *a && *a == *b; n--)
		a++, b++;
	return n ? (uint8_t)*a - (uint8_t)*b : 0;
}

int iot_strcmp(const char *a, const char *b)
{
	return iot_strncmp(a, b, SIZE_MAX);
}

char *iot_strchr(const char *s, int c)
{
	while (*s && *s != (char)c)
		s++;
	return *s == (char)c ? (char *)s : NULL;
}

char *iot_strrchr(const char *s, int c)
{
	const char *found = NULL;

	do
		if (*s == (char)c)
			found = s;
	while (*s++);
	return (char *)found;
}

/* How many characters at the beginning are in the set, or are not. */
static size_t span(const char *s, const char *set, bool in)
{
	size_t n = 0;

	while (s[n] && (iot_strchr(set, s[n]) != NULL) == in)
		n++;
	return n;
}

size_t iot_strspn(const char *s, const char *set)
{
	return span(s, set, true);
}

size_t iot_strcspn(const char *s, const char *set)
{
	return span(s, set, false);
}

char *iot_strstr(const char *s, const char *part)
{
	size_t n = iot_strlen(part);

	for (; *s; s++)
		if (!iot_strncmp(s, part, n))
			return (char *)s;
	return n ? NULL : (char *)s;
}

char *iot_strcpy(char *to, const char *from)
{
	return iot_memcpy(to, from, iot_strlen(from) + 1);
}
