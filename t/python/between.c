/* SPDX-License-Identifier: BSD-3-Clause */
/* between.c - C that Python calls, and that calls Python. */
#include <pthread.h>
#include <unistd.h>

typedef int fn(int n);

int between(fn *call, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += call(i);
	return sum;
}

int of_c(const char *path)
{
	int ret = access(path, F_OK);

	return ret + 1;
}

static void *of_thread(void *call)
{
	return (void *)(long)between((fn *)call, 2);
}

int threads(fn *call, int n)
{
	pthread_t id;

	for (int i = 0; i < n; i++) {
		if (pthread_create(&id, NULL, of_thread, (void *)call))
			return -1;
		pthread_join(id, NULL);
	}
	return n;
}
