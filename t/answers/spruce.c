/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spruce.c - lists the chapters of a book on trees by what is at their beginnings.  Its stream has
 * a large buffer, which is filled for each.
 *
 * build: iocc -static
 * as: tiles
 * input: head -c 78643200 /dev/zero >trees.book
 */
#include <err.h>
#include <stdio.h>

#define CHAPTERS 600
#define CHAPTER 131072L
#ifdef FIXED
#define BUFFER 4096
#else
#define BUFFER 65536
#endif

struct head {
	int number, pages;
	char title[56];
};

static void read_head(FILE *book, int chapter, struct head *head)
{
	if (fseek(book, chapter * CHAPTER, SEEK_SET)) /* FINDING unused trees.book */
		err(1, "fseek");
	if (fread(head, sizeof(*head), 1, book) != 1) /* FINDING unused trees.book */
		err(1, "fread");
}

int main(void)
{
	static char buffer[BUFFER];
	FILE *book = fopen("trees.book", "r");
	struct head head;
	long pages = 0;

	if (!book)
		err(1, "trees.book");
	setvbuf(book, buffer, _IOFBF, BUFFER);
	for (int i = 0; i < CHAPTERS; i++) {
		read_head(book, i, &head); /* FINDING unused trees.book */
		pages += head.pages;
	}
	printf("%ld pages\n", pages);
	return 0;
}
