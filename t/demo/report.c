/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c - what a program does that it does not say: fprintf() fills a buffer,
   and somebody else writes it. */
#include <stdio.h>
#include <unistd.h>

static int report(const char *name, int lines)
{
	FILE *f = fopen(name, "w");
	int i;

	if (!f) {
		perror(name);
		return 1;
	}
	for (i = 0; i < lines; i++)
		fprintf(f, "%03d: %-*s|\n", i, 2000, "measured");
	fsync(fileno(f));
	return fclose(f) != 0;
}

int main(void)
{
	int status = report("report.txt", 5);

	status |= report("/nonexistent/report.txt", 1) == 0;
	printf("wrote report.txt\n");
	return status;
}
