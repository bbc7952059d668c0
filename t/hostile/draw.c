/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * draw.c - what random arguments are made of: numbers, notes for people to read, memory, and
 * pointers that are bad.
 */
#define _GNU_SOURCE
#include "storm.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Scratch memory with an end: what is read or written beyond it faults. */
static char *arena;
static size_t arena_used;
static char *read_only;

uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

unsigned pick(struct draw *d, unsigned n)
{
	return next_random(&d->state) % n;
}

void note(struct draw *d, const char *format, ...)
{
	size_t n = strlen(d->text);
	va_list ap;

	va_start(ap, format);
	vsnprintf(d->text + n, sizeof(d->text) - n, format, ap);
	va_end(ap);
}

uint32_t hash(const void *at, size_t n)
{
	const unsigned char *p = at;
	uint32_t h = 2166136261;

	while (n--)
		h = (h ^ *p++) * 16777619;
	return h;
}

void values_init(void)
{
	const size_t page = 4096;

	arena = mmap(NULL, SCRATCH_SIZE + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	/* with an end: a call that is told it is longer fails by that, whatever lies behind */
	read_only = mmap(NULL, 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (arena == MAP_FAILED || read_only == MAP_FAILED || mprotect(arena + SCRATCH_SIZE, page, PROT_NONE) ||
	    mprotect(read_only, page, PROT_READ))
		abort();
}

/* Each operation finds the same there. */
void values_fresh(struct draw *d)
{
	char first = 'a' + pick(d, 26);

	arena_used = 0;
	for (size_t i = 0; i < 16384; i++)
		arena[i] = i % 61 == 60 ? '\n' : first + i % 7;
	memset(arena + SCRATCH_SIZE - 4096, 'z', 4096);
}

char *scratch(struct draw *d, size_t size)
{
	char *at = arena + arena_used;

	(void)d;
	arena_used += (size + 63) & -64;
	if (arena_used > SCRATCH_SIZE)
		abort();
	return at;
}

long bad_pointer(struct draw *d)
{
	d->bad = true;
	switch (pick(d, 9)) {
	case 0:
		note(d, "NULL");
		return 0;
	case 1:
		note(d, "(void *)8");
		return 8;
	case 2:
		note(d, "(void *)-1");
		return -1;
	case 3:
		note(d, "end");
		return (long)(arena + SCRATCH_SIZE);
	case 4:
		note(d, "end - 1");
		return (long)(arena + SCRATCH_SIZE - 1);
	case 5:
		note(d, "end - %d", 40);
		return (long)(arena + SCRATCH_SIZE - 40);
	case 6:
		note(d, "read_only");
		return (long)read_only;
	case 7:
		note(d, "(void *)0xffff800000000000");
		return (long)0xffff800000000000;
	default:
		note(d, "(void *)0x800000000000");
		return (long)0x800000000000;
	}
}
