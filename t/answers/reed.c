/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reed.c - how many records each part of a survey has: the number is asked of wc(1).
 *
 * build: iocc
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARTS	150
#define RECORDS 500

static void name_of(char *name, size_t size, int part)
{
	snprintf(name, size, "survey.%03d", part);
}

static void make(int part)
{
	char name[32];
	FILE *f;

	name_of(name, sizeof(name), part);
	f = fopen(name, "w");
	for (int i = 0; f && i < RECORDS + part; i++)
		fprintf(f, "%d %d\n", part, i * i);
	if (!f || fclose(f))
		err(1, "%s", name);
}

#ifdef FIXED
static long records(const char *name)
{
	FILE *f = fopen(name, "r");
	char line[64];
	long n = 0;

	while (f && fgets(line, sizeof(line), f))
		n++;
	if (!f || fclose(f))
		err(1, "%s", name);
	return n;
}
#else
static long records(const char *name)
{
	char command[64], said[32] = "";
	FILE *f;

	snprintf(command, sizeof(command), "wc -l <%s", name);
	f = popen(command, "r"); /* FINDING programs - */
	if (!f || !fgets(said, sizeof(said), f) || pclose(f))
		err(1, "%s", command);
	return atol(said);
}
#endif

int main(void)
{
	char name[32];
	long n = 0;

	for (int i = 0; i < PARTS; i++)
		make(i);
	for (int i = 0; i < PARTS; i++) {
		name_of(name, sizeof(name), i);
		n += records(name); /* FINDING programs - */
	}
	return n != PARTS * RECORDS + PARTS * (PARTS - 1) / 2;
}
