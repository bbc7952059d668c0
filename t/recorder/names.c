/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names.c - files whose names have one hash.  Says the names of two such files of the
 * working directory, and writes one byte a call to the first, two to the second, each
 * opened by either form of its name; then the second is removed.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../lib/core/bytes.h"

#define TIMES 5

static unsigned long long state = 1;

static unsigned int rnd(unsigned int n)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned int)(state >> 33) % n;
}

/* So that the last 16 characters are two words of the hash, which takes 8 at a time. */
static size_t begin(char *path, size_t size)
{
	size_t n;

	if (!getcwd(path, size - 32))
		exit(2);
	n = strlen(path);
	path[n++] = '/';
	while (n % 8)
		path[n++] = 'x';
	return n;
}

static bool is_plain(const unsigned char *s)
{
	for (int i = 0; i < 8; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+=-.,:", s[i]) || !s[i])
			return false;
	return true;
}

/* What the hash is before the last word comes in. */
static uint64_t before_last(const char *path, size_t n)
{
	uint64_t h = 0x9e3779b97f4a7c15ULL ^ (n + 16), w;

	for (size_t i = 0; i < n + 8; i += 8) {
		memcpy(&w, path + i, 8);
		h = (h ^ w) * 0xff51afd7ed558ccdULL;
		h ^= h >> 32;
	}
	return h;
}

/* Another path of that length with the same hash: of two words the last makes up for
   what the one before has changed. */
static void collide(const char *one, char *other, size_t n)
{
	uint64_t last;

	memcpy(other, one, n + 17);
	do {
		for (size_t i = 0; i < 8; i++)
			other[n + i] = (char)('a' + rnd(26));
		memcpy(&last, one + n + 8, 8);
		last ^= before_last(one, n) ^ before_last(other, n);
		memcpy(other + n + 8, &last, 8);
	} while (!is_plain((unsigned char *)other + n + 8) || !strcmp(one, other));
	if (iot_hash(one, (uint32_t)n + 16) != iot_hash(other, (uint32_t)n + 16)) {
		fprintf(stderr, "names: the recorder's hash is another now\n");
		exit(1);
	}
}

static void store(const char *name, size_t bytes)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_APPEND, 0600);

	if (fd < 0 || write(fd, "12", bytes) < 0 || close(fd))
		exit(2);
}

int main(void)
{
	char one[4096], other[4096];
	size_t n = begin(one, sizeof(one));

	memcpy(one + n, "thefirstfile----", 17);
	collide(one, other, n);
	printf("%s\n%s\n", one, other);
	for (int i = 0; i < TIMES; i++) {
		store(one, 1);
		store(other, 2);
	}
	for (int i = 0; i < TIMES; i++) {
		store(strrchr(one, '/') + 1, 1);
		store(strrchr(other, '/') + 1, 2);
	}
	return unlink(other) != 0;
}
