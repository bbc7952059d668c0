/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lookup.c - looks words up in a hashed dictionary.
 *
 * build: iocc
 * as: tiles
 * input: head -c 8M /dev/zero >dictionary.db
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PAGE  4096
#define PAGES 2048
#define WORDS 12000

static int fd;

#ifdef FIXED
static char *dictionary;

static void open_dictionary(void)
{
	fd = open("dictionary.db", O_RDONLY);
	dictionary = malloc((size_t)PAGES * PAGE);
	if (fd < 0 || !dictionary || read(fd, dictionary, (size_t)PAGES * PAGE) != (ssize_t)PAGES * PAGE)
		err(1, "dictionary.db");
}

static const char *page(uint32_t number)
{
	return dictionary + (size_t)number * PAGE;
}
#else
static void open_dictionary(void)
{
	fd = open("dictionary.db", O_RDONLY);
	if (fd < 0)
		err(1, "dictionary.db");
}

static const char *page(uint32_t number)
{
	static char buf[PAGE];

	if (pread(fd, buf, PAGE, (off_t)number * PAGE) != PAGE) /* FINDING scattered|reread dictionary.db */
		err(1, "dictionary.db");
	return buf;
}
#endif

static uint32_t hash(uint32_t word)
{
	word = (word ^ word >> 15) * 0x2c1b3c6d;
	word = (word ^ word >> 12) * 0x297a2d39;
	return word ^ word >> 15;
}

/* Its place, or the one behind if that is taken */
static int known(uint32_t word)
{
	uint32_t h = hash(word);

	if (page(h % PAGES)[h / PAGES % PAGE])
		return 1;
	return word % 5 == 0 && page((h + 7919) % PAGES)[0];
}

int main(void)
{
	int n = 0;

	open_dictionary();
	for (uint32_t word = 0; word < WORDS; word++)
		n += known(word);
	close(fd);
	printf("%d words\n", n);
	return 0;
}
