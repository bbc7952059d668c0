/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * texts.c - paths where a program may have them, beside a thread that waits: of the text of
 * the executable, on the stack, from malloc.
 *
 *	texts WHERE N
 *
 * asks N times for access to /dev/null.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *wait_for_ever(void *arg)
{
	pause();
	return arg;
}

int main(int argc, char **argv)
{
	const char *path = "/dev/null";
	char here[16];
	pthread_t other;
	int failed = 0;

	if (argc != 3 || pthread_create(&other, NULL, wait_for_ever, NULL))
		return 2;
	if (!strcmp(argv[1], "stack"))
		path = strcpy(here, path);
	else if (!strcmp(argv[1], "heap"))
		path = strdup(path);
	for (int i = 0; i < atoi(argv[2]); i++)
		failed |= access(path, F_OK);
	return failed;
}
