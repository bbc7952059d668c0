/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin.c - one of two, with SIZE bytes in its frame. */
int run(int (*fn)(const char *), const char *what);

int run(int (*fn)(const char *), const char *what)
{
	volatile char room[SIZE];
	int n;

	room[0] = 0;
	n = fn(what);
	return n + room[0];
}
