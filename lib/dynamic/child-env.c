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

#include "arch-cpu.h"
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
#define MAX_NAME 128u		/* of a setting, with its = */

static const char preload[] = "LD_PRELOAD=";
static const char *own_path;		/* as it stands there; NULL: not by LD_PRELOAD */
static char *kept[MAX_KEPT + 1];	/* IOTRACE_X=value */
static uint32_t n_kept;

static size_t name_len(const char *entry)
{
	return strcspn(entry, "=") + 1;
}

/* Bytes of a list in the program's memory; 0: it can't be read.  *names: it names us. */
static size_t list_size(const char *list, bool *names)
{
	const size_t whole = strlen(own_path);
	size_t same = 0, len = 0;
	char part[256];

	for (*names = false;;) {
		if (!iot_fetch_text(part, sizeof(part), list + len))
			return 0;
		for (const char *s = part; s - part < (long)sizeof(part) - 1; s++, len++) {
			if (!*s || *s == ':' || *s == ' ') {
				*names |= same == whole;
				same = 0;
			} else {
				same = same < whole && *s == own_path[same] ? same + 1 : whole + 1;
			}
			if (!*s)
				return len + 1;
		}
	}
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
	bool names;

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
		if (!strncmp(*e, "IOTRACE", 7) && name_len(*e) < MAX_NAME)
			kept[n_kept++] = keep(&text, *e, strlen(*e));
	own_path = keep(&text, map->l_name, strlen(map->l_name));
	if (!list_size(list + sizeof(preload) - 1, &names) || !names)
		own_path = NULL;
}

/* env and its like have nothing in their environment when their first call comes. */
char **iot_host_settings(void)
{
	return own_path ? kept : NULL;
}

/* How many of an environment's entries to read at once: none from a page that may not be
   there before its turn. */
static uint32_t at_once(char **env, uint32_t most)
{
	uint32_t n = (uint32_t)((IOT_PAGE - (uintptr_t)env % IOT_PAGE) / sizeof(*env));

	return n > most ? most : n ? n : 1;
}

/* An entry is there: what it has need not be added.  False: it can't be read. */
static bool look_at(struct iot_env_plan *plan, const char *entry)
{
	char name[MAX_NAME];
	size_t size;
	bool names;

	if (!iot_fetch_text(name, sizeof(name), entry))
		return false;
	for (uint32_t i = 0; i < n_kept; i++)
		if (!strncmp(name, kept[i], name_len(kept[i])))
			plan->missing &= ~(1U << i);
	if (plan->has_list || strncmp(name, preload, sizeof(preload) - 1))
		return true;
	size = list_size(entry + sizeof(preload) - 1, &names);
	plan->has_list = true;
	if (!names) {
		plan->list = entry;
		plan->list_size = size;
	}
	return size;
}

/* An address may be bad, or be so soon, if other threads unmap it: the kernel is to say so,
   and gets env itself. */
struct iot_env_plan iot_child_env_plan(char **env)
{
	struct iot_env_plan plan = { .env = env, .missing = (uint32_t)((1UL << n_kept) - 1) };
	uint32_t n = 0;

	for (bool ended = !own_path || !env; !ended; plan.n += n) {
		char *some[32];
		const uint32_t most = at_once(env + plan.n, 32);

		if (!iot_fetch(some, env + plan.n, most * sizeof(*some)))
			return plan;
		for (n = 0; n < most && some[n]; n++)
			if (!look_at(&plan, some[n]))
				return plan;
		ended = n < most;
	}
	if (own_path && (plan.missing || plan.list || !plan.has_list))
		plan.size = (plan.n + n_kept + 2) * sizeof(char *) + sizeof(preload) + strlen(own_path) + 1 +
			    plan.list_size;
	return plan;
}

char **iot_child_env(const struct iot_env_plan *plan, void *room)
{
	char **to = room, **all = room;
	struct iot_text text = { 0 };

	if (!iot_fetch(all, plan->env, plan->n * sizeof(*all)))
		return plan->env;
	for (uint32_t i = 0; i < plan->n; i++)
		if (!plan->list || all[i] != plan->list)
			*to++ = all[i];
	for (uint32_t i = 0; i < n_kept; i++)
		if (plan->missing >> i & 1)
			*to++ = kept[i];
	if (plan->list || !plan->has_list) {
		text.buf = (char *)(to + 2);
		text.cap = (uint32_t)((char *)room + plan->size - text.buf);
		*to++ = text.buf;
		iot_puts(&text, preload);
		iot_puts(&text, own_path);
		if (plan->list_size > 1) {
			iot_puts(&text, ":");
			if (!iot_fetch(text.buf + text.len, plan->list + sizeof(preload) - 1, plan->list_size))
				return plan->env;
			text.len += (uint32_t)plan->list_size;
			text.buf[text.len - 1] = 0;
		} else {
			iot_putn(&text, "", 1);
		}
	}
	*to = NULL;
	return room;
}
