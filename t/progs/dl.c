/* SPDX-License-Identifier: BSD-3-Clause */
/* dl.c - shared objects, as far as a static program can know them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include "show.h"

int main(void)
{
	void *self = PTR(dlopen(NULL, RTLD_NOW));

	SHOW(dlclose(self));
	PTR(dlopen("./missing.so", RTLD_NOW));
	PTR(dlopen("iotrace-missing.so", RTLD_LAZY));
	/* no shared object */
	close(open("text.so", O_CREAT | O_WRONLY, 0600));
	PTR(dlopen("./text.so", RTLD_NOW));
	GNU(PTR(dlmopen(LM_ID_BASE, "./missing.so", RTLD_NOW)));
	return 0;
}
