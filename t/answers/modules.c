/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * modules.c - finds the modules that a program asks for in the folders of a path, and loads
 * them.
 *
 * build: iocc
 * input: mkdir -p lib/core lib/last; for i in $(seq 60); do echo $i >lib/last/module$i.conf; done
 */
#include <err.h>
#include <stdio.h>
#include <string.h>

#define MODULES 60
#define FOLDERS 40

static char path[FOLDERS][32];
static int folders;

static void make_path(void)
{
#ifndef FIXED
	for (int i = 0; i < FOLDERS - 1; i++)
		snprintf(path[folders++], sizeof(path[0]), "lib/extra/v%d", i);
#endif
	strcpy(path[folders++], "lib/last");
}

static FILE *find(const char *name)
{
	char file[96];
	FILE *f;

	for (int i = 0; i < folders; i++) {
		snprintf(file, sizeof(file), "%.31s/%s", path[i], name);
		f = fopen(file, "r"); /* FINDING searched module~.conf lib/extra/~/module~.conf */
		if (f)
			return f;
	}
	errx(1, "%s: not found", name);
}

static int load(int number)
{
	char name[32];
	int value = 0;
	FILE *f;

	snprintf(name, sizeof(name), "module%d.conf", number);
	f = find(name);
	if (fscanf(f, "%d", &value) != 1)
		errx(1, "%s: has no value", name);
	fclose(f);
	return value;
}

int main(void)
{
	int sum = 0;

	make_path();
	for (int i = 1; i <= MODULES; i++)
		sum += load(i);
	printf("%d\n", sum);
	return 0;
}
