/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lines.c - counts how many lines of a text are longer than others.
 *
 * build: iocc -static
 * as: clay
 * input: seq 1 60000 >text.txt
 */
#include <err.h>
#include <stdio.h>
#include <string.h>

#define LONGEST 128

/* As much as the longest line needs, since there may be many texts */
struct text {
	FILE *f;
	char buf[LONGEST];
	char line[LONGEST];
};

static void begin(struct text *t, const char *path)
{
	t->f = fopen(path, "r");
	if (!t->f)
		err(1, "%s", path);
#ifndef FIXED
	setvbuf(t->f, t->buf, _IOFBF, sizeof(t->buf)); /* FINDING small-reads text.txt */
#endif
}

static const char *next(struct text *t)
{
	return fgets(t->line, sizeof(t->line), t->f) ? t->line : NULL; /* FINDING small-reads text.txt */
}

int main(void)
{
	struct text t;
	int longer[LONGEST] = {0};
	const char *line;

	begin(&t, "text.txt");
	while ((line = next(&t))) /* FINDING small-reads text.txt */
		longer[strlen(line)]++;
	fclose(t.f);
	for (int i = 0; i < LONGEST; i++)
		if (longer[i])
			printf("%d %d\n", i, longer[i]);
	return 0;
}
