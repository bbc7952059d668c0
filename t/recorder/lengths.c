/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lengths.c - writes and reads texts by the functions that get or give no number of bytes, and
 * says of each call on standard error what a log has to: name, size asked for (-: none),
 * result; - for a call that fails.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 100000

static char text[MOST + 1];

static void wrote(const char *call, size_t size, int ret)
{
	if (ret < 0)
		fprintf(stderr, "%s %zu -\n", call, size);
	else
		fprintf(stderr, "%s %zu %d\n", call, size, ret);
}

static void write_all(FILE *f, const char *call, int (*put)(const char *, FILE *))
{
	static const size_t length[] = { 0, 1, 7, 8, 9, 63, 4095, 4096, 5000, MOST };

	for (size_t i = 0; i < sizeof(length) / sizeof(length[0]); i++) {
		/* at every place of a word */
		for (size_t at = 0; at < 8 && at <= MOST - length[i]; at++) {
			text[at + length[i]] = '\0';
			wrote(call, length[i], put(text + at, f));
			text[at + length[i]] = 'x';
		}
	}
}

static void read_all(FILE *f)
{
	static char line[3000];
	size_t room = 0;
	char *all = NULL;

	rewind(f);
	while (fgets(line, 3000, f))
		fprintf(stderr, "fgets 3000 %zu\n", strlen(line));
	fprintf(stderr, "fgets 3000 -\n");
	rewind(f);
	while (fgets_unlocked(line, 17, f) && ftell(f) < 20000)
		fprintf(stderr, "fgets_unlocked 17 %zu\n", strlen(line));
	fprintf(stderr, "fgets_unlocked 17 %zu\n", strlen(line));
	rewind(f);
	for (ssize_t n; (n = getline(&all, &room, f)) >= 0;)
		fprintf(stderr, "getline - %zd\n", n);
	fprintf(stderr, "getline - -\n");
	rewind(f);
	for (int i = 0; i < 500; i++) {
		ssize_t n = getdelim(&all, &room, i % 2 ? '\n' : 'x', f);

		fprintf(stderr, n < 0 ? "getdelim - -\n" : "getdelim - %zd\n", n);
	}
	free(all);
}

int main(void)
{
	FILE *f = fopen("texts", "w+");

	if (!f)
		return 1;
	memset(text, 'x', MOST);
	write_all(f, "fputs", fputs);
	fputc('\n', f);
	write_all(f, "fputs_unlocked", fputs_unlocked);
	for (int i = 0; i < 300; i++) {
		text[i] = '\0';
		wrote("puts", (size_t)i + 1, puts(text));
		text[i] = '\n';
	}
	read_all(f);
	/* neither full nor line buffered */
	setvbuf(f, NULL, _IONBF, 0);
	rewind(f);
	write_all(f, "fputs", fputs);
	freopen("texts", "r", f);
	wrote("fputs", 3, fputs("no!", f));
	return fclose(f) && 0;
}
