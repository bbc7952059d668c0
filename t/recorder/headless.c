/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * headless.c - the first thread ends, and with it what /proc/PID shows of descriptors and
 * mappings.  Then another one makes the program's first calls on descriptor 7, which it was
 * started with, calls in_library() of a library that it loads, and waits for a byte of
 * standard input.
 *
 *	headless [LIBRARY]
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *other(void *library)
{
	void (*in_library)(int);
	char c;

	/* joining would not do: descriptors go a moment later */
	while (access("/proc/self/fd/0", F_OK) == 0)
		;
	if (write(7, "other\n", 6) != 6)
		exit(1);
	if (library) {
		void *handle = dlopen(library, RTLD_NOW);

		in_library = handle ? (void (*)(int))dlsym(handle, "in_library") : NULL;
		if (!in_library)
			exit(2);
		in_library(7);
	}
	exit(read(0, &c, 1) == 1 ? 0 : 3);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, other, argc > 1 ? argv[1] : NULL))
		return 4;
	pthread_exit(NULL);
}
