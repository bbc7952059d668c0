/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * archive.c - sorts messages into the archive of their year.
 *
 * build: iocc
 */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#define MESSAGES 9000

static int year = 2023;
static FILE *box;

static void folder(const char *path)
{
	if (mkdir(path, 0777) && errno != EEXIST) /* FINDING failed archive/202? mkdir */
		err(1, "%s", path);
}

static void place(int of)
{
	char path[40];

#ifdef FIXED
	if (of == year)
		return;
#endif
	snprintf(path, sizeof(path), "archive/%d", of);
	folder(path); /* FINDING failed archive/202? mkdir */
	if (of == year)
		return;
	if (box)
		fclose(box);
	snprintf(path, sizeof(path), "archive/%d/box", of);
	box = fopen(path, "a");
	if (!box)
		err(1, "%s", path);
	year = of;
}

int main(void)
{
	folder("archive");
	for (int i = 0; i < MESSAGES; i++) {
		place(2024 + i / 5000);
		fprintf(box, "From %d: what was to be said\n", i);
	}
	fclose(box);
	return 0;
}
