/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * harbour.c - reads what is known of harbours, from where a path of directories says.
 *
 * build: iocc
 * as: modules
 * input: mkdir -p charts/old charts/new charts/all; for i in $(seq 12); do echo $i >charts/all/$i.chart; done
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const path[] = {
#ifdef FIXED
	"charts/all",
#else
	"charts/new", "charts/old", "charts/none", "charts", ".", "charts/all",
#endif
};

static FILE *find(const char *base)
{
	char name[200];
	FILE *f;

	for (size_t i = 0; i < sizeof(path) / sizeof(path[0]); i++) {
		snprintf(name, sizeof(name), "%s/%s", path[i], base);
		f = fopen(name, "r"); /* FINDING searched ~.chart */
		if (f)
			return f;
	}
	errx(1, "%s", base);
}

int main(void)
{
	char base[40];
	int depth, sum = 0;

	for (int i = 1; i <= 12; i++) {
		FILE *f;

		snprintf(base, sizeof(base), "%d.chart", i);
		f = find(base); /* FINDING searched ~.chart */
		if (fscanf(f, "%d", &depth) == 1)
			sum += depth;
		fclose(f);
	}
	printf("%d\n", sum);
	return 0;
}
