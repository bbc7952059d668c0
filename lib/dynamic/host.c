/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host.c - what the recorder has to know of the process that it is in: one with
 * a dynamic loader, in the executable itself or in libiotrace.so.
 */
#include <stddef.h>

#include "host.h"
#include "iot.h"
#include "next.h"

const bool iot_libc_opaque = true;

/* By this name a second recorder in the process knows that it is one. */
extern const char iot_recorder[] __attribute__((visibility("default")));
const char iot_recorder[] = IOT_VERSION;

/*
 * Before the loader has relocated us, which is when libraries have IFUNC
 * resolvers that make calls, only the way to libc works.
 */
bool iot_host_ready(void)
{
	static bool ready;
	void *got;

	if (iot_likely(ready))
		return true;
	__asm__ __volatile__("movq getauxval@GOTPCREL(%%rip), %0" : "=r"(got));
	ready = got && iot_host_wanted();
	return ready;
}

/* On the stack as the kernel left it, for those who come before libc has looked
   there: malloc, when it is not libc's. */
static char **first_environ(void)
{
	const struct r_debug *r = iot_loader();
	char ***end = NULL, **argv;
	long argc;

	for (const struct link_map *map = r ? r->r_map : NULL; map && !end; map = map->l_next)
		end = iot_symbol_in(map, "__libc_stack_end", NULL);
	if (!end || !*end)
		return NULL;
	argc = *(long *)*end;
	argv = *end + 1;
	return argc < 0 || argc > 1 << 20 || argv[argc] ? NULL : argv + argc + 1;
}

char **iot_environ(void)
{
	extern char **environ;
	char **settings = iot_host_settings();

	if (settings)
		return settings;
	return environ ? environ : first_environ();
}

/* Behind main, or whatever called exit: what is still to come ends in exit_group,
   which is not seen. */
__attribute__((destructor)) static void at_exit(void)
{
	iot_log_ended();
}
