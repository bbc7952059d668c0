/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reload.c - reload ROUNDS LIBRARY...: opens one after the other, writes in a function that
 * it calls back, and closes it, if all come more than once.  Prints KiB of address space.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int fd;

static int site(const char *what)
{
	return write(fd, what, 1) == 1;
}

int main(int argc, char **argv)
{
	int rounds = atoi(argv[1]), libraries = argc - 2;
	long pages = 0;
	FILE *f;

	fd = open("/dev/null", O_WRONLY);
	for (int i = 0; i < rounds; i++) {
		void *p = dlopen(argv[2 + i % libraries], RTLD_NOW);
		int (*run)(int (*)(const char *), const char *) = NULL;

		if (p)
			*(void **)&run = dlsym(p, "run");
		if (!run || !run(site, "x"))
			return 1;
		if (rounds > libraries)
			dlclose(p);
	}
	f = fopen("/proc/self/statm", "r");
	if (!f || fscanf(f, "%ld", &pages) != 1)
		return 1;
	printf("%ld\n", pages * (sysconf(_SC_PAGESIZE) / 1024));
	return 0;
}
