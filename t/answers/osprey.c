/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * osprey.c - a child makes a result; its parent asks again and again whether the file is there.
 *
 * build: iocc
 * as: archive
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static void make(void)
{
	double x = 0;
	for (int i = 0; i < 60000000; i++)
		x += 1.0 / (i + 1);
	FILE *f = fopen("result.tmp", "w");
	fprintf(f, "%g\n", x);
	fclose(f);
	rename("result.tmp", "result.txt");
}
#ifndef FIXED
static int there(const char *name)
{
	struct stat st;
	return stat(name, &st) == 0; /* FINDING failed result.txt */
}
#endif
int main(void)
{
	remove("result.txt");
	pid_t child = fork();
	if (!child) {
		make();
		_exit(0);
	}
#ifndef FIXED
	const struct timespec nap = { 0, 20000 };
	while (!there("result.txt")) /* FINDING failed result.txt */
		nanosleep(&nap, 0);
#endif
	waitpid(child, 0, 0);
	return 0;
}
