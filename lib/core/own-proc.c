/* SPDX-License-Identifier: BSD-3-Clause */
/* own-proc.c - what /proc tells about this process. */
#include "own-proc.h"

#include "text.h"

/*
 * Asks by both names that the process has there, until ask finds something; false: by none.
 * /proc/self is the first thread, which tells nothing any more once it has ended;
 * valgrind makes up files of that name alone.
 */
bool iot_own_proc(const char *name, bool (*ask)(const char *path, void *arg), void *arg)
{
	static const char dirs[][sizeof("/proc/thread-self/")] = { "/proc/self/", "/proc/thread-self/" };

	for (int i = 0; i < 2; i++) {
		char path[40];
		struct iot_text x = { .buf = path, .cap = sizeof(path) - 1 };

		iot_puts(&x, dirs[i]);
		iot_puts(&x, name);
		path[x.len] = 0;
		if (ask(path, arg))
			return true;
	}
	return false;
}
