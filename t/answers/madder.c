/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * madder.c - recipes of dyers: each day's are added to the book by copying it, line by line, to a new
 * one, which takes its name.
 *
 * build: iocc
 */
#include <err.h>
#include <stdio.h>

#define DAYS	60
#define RECIPES	2000

static FILE *book(const char *name, const char *how)
{
	FILE *f = fopen(name, how);

	if (!f)
		err(1, "%s", name);
	return f;
}

static void note(FILE *f, int day)
{
	for (int i = 0; i < RECIPES; i++)
		fprintf(f, "day %d: %d g of madder in %d l of water\n", day, i % 97, i % 13);
}

#ifndef FIXED
static void copy(FILE *from, FILE *to)
{
	char line[100];

	while (fgets(line, sizeof line, from))
		fputs(line, to);
}

static void add(int day)
{
	FILE *to = book("book.new", "w");

	if (day) {
		FILE *from = book("book.txt", "r"); /* FINDING reopened book.txt book.new */

		copy(from, to);
		fclose(from);
	}
	note(to, day);
	fclose(to);
	if (rename("book.new", "book.txt"))
		err(1, "book.txt");
}
#endif

int main(void)
{
#ifdef FIXED
	FILE *all = book("book.txt", "w");

	for (int day = 0; day < DAYS; day++)
		note(all, day);
	return fclose(all) != 0;
#else
	for (int day = 0; day < DAYS; day++)
		add(day);
	return 0;
#endif
}
