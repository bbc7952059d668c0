/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * auxv.c - what the kernel told the process when it began: the auxiliary vector.
 * getauxval is a name that a program can have for a function of its own.
 */
#include "auxv.h"

#include "host.h"
#include "own-proc.h"
#include "sys.h"

#include <elf.h>

#define MAX_PAIRS 64			/* the kernel gives some 25 */

static uint64_t vector[MAX_PAIRS][2];
static bool known;

/* Whether it has an end, and what no vector is without. */
static bool is_sound(void)
{
	bool has_page_size = false;

	for (int i = 0; i < MAX_PAIRS; i++) {
		if (vector[i][0] == AT_NULL)
			return has_page_size;
		has_page_size |= vector[i][0] == AT_PAGESZ && vector[i][1];
	}
	return false;
}

static bool from_libc(void)
{
	const uint64_t *v = iot_host_auxv();

	for (int i = 0; v && i < MAX_PAIRS; i++) {
		vector[i][1] = v[2 * i + 1];
		vector[i][0] = v[2 * i];
		if (vector[i][0] == AT_NULL)
			return is_sound();
	}
	return false;
}

static bool from_kernel(const char *path)
{
	int fd = iot_sys_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	long n = fd < 0 ? 0 : iot_sys_read(fd, vector, sizeof(vector));

	if (fd >= 0)
		iot_sys_close(fd);
	return n > 0 && is_sound();
}

/* Threads that come at the same time store the same. */
static bool look(void)
{
	static iot_own_proc paths = IOT_OWN_PROC("auxv");

	if (!from_libc() && !from_kernel(paths[0]) && !from_kernel(paths[1]))
		return false;
	__atomic_store_n(&known, true, __ATOMIC_RELEASE);
	return true;
}

/* 0: there is none of that type.  Of a vector that can't be found this process is one
   that has gained rights: AT_SECURE, which means that it is not traced. */
uint64_t iot_auxv(uint64_t type)
{
	if (!__atomic_load_n(&known, __ATOMIC_ACQUIRE) && !look())
		return type == AT_SECURE;
	for (int i = 0; vector[i][0] != AT_NULL; i++)
		if (vector[i][0] == type)
			return vector[i][1];
	return 0;
}
