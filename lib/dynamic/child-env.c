/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * child-env.c - the environment of programs that this one runs.  libiotrace.so
 * and its settings live there, and a program may pass on another one than its
 * own.  So what was in ours at the start is added where it is missing; what the
 * program sets itself counts.
 *
 * Called in children of threaded programs and of vfork: nothing is allocated, and
 * what was found at the start never changes.
 */
#include "child-env.h"

#include "arena.h"
#include "fetch.h"
#include "host.h"
#include "next.h"
#include "rank.h"
#include "text.h"
#include "variant.h"

#include <stddef.h>
#include <string.h>

#define MAX_KEPT 32

static const char preload[] = "LD_PRELOAD=";
static const char *own_path;		/* as it stands there; NULL: not by LD_PRELOAD */
static char *kept[MAX_KEPT + 1];	/* IOTRACE_X=value */
static uint32_t n_kept;

static size_t name_len(const char *entry)
{
	return strcspn(entry, "=") + 1;
}

/* The list names us. */
static bool has_path(const char *list)
{
	size_t n = strlen(own_path);

	for (const char *s = list; *s; s += strcspn(s, ": "), s += *s != 0)
		if (strcspn(s, ": ") == n && !memcmp(s, own_path, n))
			return true;
	return false;
}

static const char *find(char **env, const char *entry)
{
	size_t n = name_len(entry);

	for (; env && *env; env++)
		if (!strncmp(*env, entry, n))
			return *env;
	return NULL;
}

/* A copy that the program can't write over, as some do to show what they are at. */
static char *keep(struct iot_text *to, const char *s, size_t n)
{
	char *at = to->buf + to->len;

	iot_putn(to, s, n);
	iot_putn(to, "", 1);
	return at;
}

__attribute__((constructor)) static void at_start(void)
{
	const struct r_debug *r = iot_loader();
	const struct link_map *map = r ? r->r_map : NULL;
	char **env = iot_environ();
	struct iot_text text = { 0 };
	const char *list;
	size_t size;

	if (!iot_host_wanted())
		return;
	iot_rank_find(env);
	while (map && !iot_is_own(map))
		map = map->l_next;
	list = find(env, preload);
	if (!map || !list)
		return;
	size = strlen(map->l_name) + 1;
	for (char **e = env; *e; e++)
		if (!strncmp(*e, "IOTRACE", 7))
			size += strlen(*e) + 1;
	text.buf = iot_map(size);
	if (!text.buf)
		return;
	text.cap = (uint32_t)size;
	for (char **e = env; *e && n_kept < MAX_KEPT; e++)
		if (!strncmp(*e, "IOTRACE", 7))
			kept[n_kept++] = keep(&text, *e, strlen(*e));
	own_path = keep(&text, map->l_name, strlen(map->l_name));
	if (!has_path(list + sizeof(preload) - 1))
		own_path = NULL;
}

/* env and its like have nothing in their environment when their first call comes. */
char **iot_host_settings(void)
{
	return own_path ? kept : NULL;
}

/* An address may be bad: the kernel is to say so. */
static bool is_readable(char **env)
{
	uintptr_t known = 0;
	char *s;

	for (; iot_fetch(&s, env, sizeof(s)); env++) {
		if (!s)
			return true;
		if (!iot_is_text(s, &known))
			return false;
	}
	return false;
}

size_t iot_child_env_size(char **env)
{
	const char *list;
	uint32_t n = 1, missing = 0;

	if (!own_path || (env && !is_readable(env)))
		return 0;
	list = find(env, preload);
	for (uint32_t i = 0; i < n_kept; i++)
		missing += !find(env, kept[i]);
	if (!missing && list && has_path(list + sizeof(preload) - 1))
		return 0;
	for (char **e = env; e && *e; e++)
		n++;
	return (n + missing + 1) * sizeof(char *) + sizeof(preload) + strlen(own_path) + 1 +
	       (list ? strlen(list) : 0);
}

char **iot_child_env(char **env, void *room, size_t size)
{
	const char *list = find(env, preload);
	char **to = room;

	for (char **e = env; e && *e; e++)
		if (*e != list)
			*to++ = *e;
	for (uint32_t i = 0; i < n_kept; i++)
		if (!find(env, kept[i]))
			*to++ = kept[i];
	if (list && has_path(list + sizeof(preload) - 1)) {
		*to++ = (char *)list;
	} else {
		struct iot_text text = { .buf = (char *)(to + 2) };

		text.cap = (uint32_t)((char *)room + size - text.buf);
		*to++ = text.buf;
		iot_puts(&text, preload);
		iot_puts(&text, own_path);
		if (list && list[sizeof(preload) - 1]) {
			iot_puts(&text, ":");
			iot_puts(&text, list + sizeof(preload) - 1);
		}
		iot_putn(&text, "", 1);
	}
	*to = NULL;
	return room;
}
