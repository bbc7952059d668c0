/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * quill.c - letters go into a book, each by a transaction of its own: what it changes is kept in a
 * journal until the book is safe.
 *
 * build: iocc
 * as: commits
 */
#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define LETTERS 60
#define PAGE	4096
#define PAGES	5 /* that a transaction changes */

static char page[PAGES * PAGE];

static void put(const char *name, int flags, off_t at)
{
	int fd = open(name, O_WRONLY | O_CREAT | flags, 0666);

	if (fd < 0 || pwrite(fd, page, sizeof(page), at) != (ssize_t)sizeof(page) || fdatasync(fd)) /* FINDING sync|synced-files book book-journal */
		err(1, "%s", name);
	close(fd);
}

static void commit(int letter)
{
	put("book-journal", O_TRUNC, 0); /* FINDING sync|synced-files book book-journal */
	put("book", 0, (off_t)letter * PAGE); /* FINDING sync|synced-files book book-journal */
	unlink("book-journal");
}

int main(void)
{
	for (int letter = 0; letter < LETTERS; letter++) {
		memset(page, letter, sizeof(page));
#ifdef FIXED
		if (letter == LETTERS - 1)
#endif
			commit(letter); /* FINDING sync|synced-files book book-journal */
	}
	return 0;
}
