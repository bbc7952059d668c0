/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sluice.c - for each of many queries, the modification times of all files are asked anew.
 *
 * build: iocc
 * input: mkdir -p in; i=0; while [ $i -lt 60 ]; do echo $i >in/f$i; i=$((i+1)); done
 * as: brook
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
static char names[64][32];
static long times[64];
static long mtime(const char *dir, const char *name)
{
	char path[300];
	struct stat st;
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return stat(path, &st) ? 0 : st.st_mtime; /* FINDING stat-storm in/f~ in */
}
static long newest(int n)
{
	long best = 0;
	for (int i = 0; i < n; i++) {
#ifdef FIXED
		if (!times[i])
			times[i] = mtime("in", names[i]);
		long t = times[i];
#else
		long t = mtime("in", names[i]); /* FINDING stat-storm in/f~ in */
#endif
		if (t > best)
			best = t;
	}
	return best;
}
int main(void)
{
	int n = 0;
	long sum = 0;
	DIR *d = opendir("in");
	for (struct dirent *e; (e = readdir(d));)
		if (e->d_name[0] == 'f')
			strcpy(names[n++], e->d_name);
	closedir(d);
	for (int q = 0; q < 200; q++)
		sum += newest(n);
	printf("%ld %ld\n", sum, times[0]);
	return 0;
}
