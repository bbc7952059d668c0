/* SPDX-License-Identifier: BSD-3-Clause */
/* opens.c - a library that loads another one, from code that has a page for itself: none of the
   functions there is without a frame. */
#include <dlfcn.h>

#define ALONE __attribute__((section("alone"), aligned(4096)))

ALONE int run(int (*fn)(void));
ALONE int behind(int (*fn)(void));
int leaf(void);

int run(int (*fn)(void))
{
	void *p = dlopen("./b5000.so", RTLD_LAZY);
	int n = p ? fn() : 0;

	if (p)
		dlclose(p);
	return n;
}

int behind(int (*fn)(void))
{
	return fn() + fn();
}

int leaf(void)
{
	return 1;
}
