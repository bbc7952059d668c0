/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host.c - what the recorder has to know of the process that it is in: one with
 * a dynamic loader, in the executable itself or in libiotrace.so.
 */
#include "host.h"

#include "arch-stub.h"
#include "hooks.h"
#include "libc.h"
#include "log.h"
#include "next.h"
#include "python.h"
#include "seen.h"
#include "shared-tls.h"
#include "stream.h"
#include "variant.h"

#include <stddef.h>

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

	if (iot_likely(__atomic_load_n(&ready, __ATOMIC_RELAXED)))
		return true;
	/* every shared library refers to that; it is not called */
	IOT_SLOT_OF("__cxa_finalize", got);
	if (!got || !iot_host_wanted())
		return false;
	__atomic_store_n(&ready, true, __ATOMIC_RELAXED);
	return true;
}

/* Whether the system call was made by libc itself: by an instruction of libc.so or
   the loader. */
bool iot_host_made(const struct iot_thread *t, uintptr_t pc)
{
	static const char *const names[] = { "gnu_get_libc_version", "__tls_get_addr" };
	static uintptr_t low[2], end[2];
	const struct r_debug *r = iot_loader();

	(void)t;
	for (int i = 0; i < 2; i++) {
		const struct link_map *map = r ? r->r_map : NULL;
		uintptr_t last = __atomic_load_n(&end[i], __ATOMIC_ACQUIRE), begin;

		while (!last && map && !iot_symbol_in(map, names[i], NULL))
			map = map->l_next;
		if (!last && map && iot_module_of((uintptr_t)map->l_ld, &begin, &last)) {
			__atomic_store_n(&low[i], begin, __ATOMIC_RELAXED);
			__atomic_store_n(&end[i], last, __ATOMIC_RELEASE);
		}
		/* low is what it was when end was stored: a thread finds both, or none */
		if (last && pc >= __atomic_load_n(&low[i], __ATOMIC_RELAXED) && pc < last)
			return true;
	}
	return false;
}

/*
 * errno is libc.so's.  What the program, or a library of its own, may have by the name of
 * the function that tells where is not asked.
 */
IOT_EACH int *iot_errno_location(void)
{
	static int *(*location)(void);
	const struct r_debug *r;

	if (iot_likely(location))
		return location();
	r = iot_loader();
	for (const struct link_map *map = r ? r->r_map : NULL; map && !location; map = map->l_next)
		if (iot_is_named(map, "libc.so.6"))
			location = (int *(*)(void))iot_symbol_in(map, "__errno_location", NULL);
	return location();
}

/* The first interpreter that is loaded: an executable, or libpython. */
void iot_host_python(struct iot_python_symbols *s)
{
	const struct r_debug *r = iot_loader();
	const struct link_map *map = r ? r->r_map : NULL;

	while (map && !s->runtime) {
		s->runtime = (uintptr_t)iot_symbol_in(map, "_PyRuntime", NULL);
		if (!s->runtime)
			map = map->l_next;
	}
	if (!s->runtime || !iot_module_of(s->runtime, &s->low, &s->high))
		return;
	s->code_type = (uintptr_t)iot_symbol_in(map, "PyCode_Type", NULL);
	s->str_type = (uintptr_t)iot_symbol_in(map, "PyUnicode_Type", NULL);
	s->bytes_type = (uintptr_t)iot_symbol_in(map, "PyBytes_Type", NULL);
	s->version = iot_symbol_in(map, "Py_Version", NULL);
}

/* On the stack as the kernel left it, for those who come before libc has looked
   there: malloc, when it is not libc's. */
char **iot_environ_first(void)
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
	char **settings = iot_host_settings();

	if (settings)
		return settings;
	return __environ ? __environ : iot_environ_first();
}

/* Behind the environment. */
const uint64_t *iot_host_auxv(void)
{
	char **env = iot_environ_first();

	while (env && *env)
		env++;
	return (const uint64_t *)(env ? env + 1 : NULL);
}

/* Behind main, or whatever called exit, and the executable's own destructors: what is
   still to come ends in exit_group, which is not seen. */
__attribute__((destructor(101))) static void at_exit(void)
{
	struct iot_call end = { .t = iot_mine() };

	if (iot_libc_unseen())
		iot_infer_exit();
	if (end.t) {
		end.depth = end.t->depth;
		iot_requests_end(&end);
	}
	iot_log_ended(iot_mine());
}
