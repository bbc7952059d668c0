/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cowrie.c - a list is made of an archive's members, for which each is looked for from the start.
 *
 * build: iocc
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MEMBERS 400
#define SIZE 8192

struct head {
	char name[32];
	long size;
};

static void make(const char *name)
{
	static const char data[SIZE];
	FILE *f = fopen(name, "w");
	struct head h = {.size = SIZE};
	int i;

	if (!f)
		err(1, "%s", name);
	for (i = 0; i < MEMBERS; i++) {
		snprintf(h.name, sizeof(h.name), "shell.%d", i);
		fwrite(&h, sizeof(h), 1, f);
		fwrite(data, SIZE, 1, f);
	}
	fclose(f);
}

static off_t find(int fd, const char *name)
{
	struct head h;
	off_t at = 0;

	while (pread(fd, &h, sizeof(h), at) == sizeof(h) && strcmp(h.name, name)) /* FINDING reread shells.ar */
		at += (off_t)sizeof(h) + h.size;
	return at;
}

int main(void)
{
	off_t at[MEMBERS];
	char name[32];
	int fd, i;
#ifdef FIXED
	struct head h;
#endif

	make("shells.ar");
	fd = open("shells.ar", O_RDONLY);
#ifdef FIXED
	for (at[0] = 0, i = 0; i < MEMBERS && pread(fd, &h, sizeof(h), at[i]) == sizeof(h); i++)
		if (i + 1 < MEMBERS)
			at[i + 1] = at[i] + (off_t)sizeof(h) + h.size;
#endif
	for (i = 0; i < MEMBERS; i++) {
		snprintf(name, sizeof(name), "shell.%d", i);
#ifndef FIXED
		at[i] = find(fd, name);
#endif
		printf("%s %lld\n", name, (long long)at[i]);
	}
	close(fd);
	return 0;
}
