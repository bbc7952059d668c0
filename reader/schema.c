/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schema.c - the calls that a log knows, from the `call` lines of its header:
 *	ID FAMILY NAME SYSCALL|- FLAGS|- RESULT PARAM:KIND...
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read.h"

static const struct {
	const char *name;
	enum iot_place place;
} kinds[] = {
#define IOT_KIND(id, name, place) [IOT_KIND_##id] = {name, IOT_AT_##place},
#include "../table/kinds.def"
#undef IOT_KIND
};

static enum iot_kind kind_of(const char *name)
{
	unsigned i;

	for (i = 1; i < IOT_N_KINDS; i++)
		if (!strcmp(kinds[i].name, name))
			return (enum iot_kind)i;
	return IOT_KIND_UNKNOWN;
}

/* The next word of the line, '\0'-terminated; NULL at its end. */
static char *word(char **p)
{
	char *s = *p + strspn(*p, " \t");
	size_t n = strcspn(s, " \t");

	if (!n)
		return NULL;
	*p = s + n + (s[n] != '\0');
	s[n] = '\0';
	return s;
}

static bool has_flag(const char *flags, const char *name)
{
	size_t n = strlen(name);

	while (*flags) {
		size_t len = strcspn(flags, ",");

		if (len == n && !memcmp(flags, name, n))
			return true;
		flags += len + (flags[len] != '\0');
	}
	return false;
}

static void add_param(struct iot_schema *s, char *text)
{
	struct iot_param *p;
	char *colon = strrchr(text, ':');
	unsigned i;

	if (s->n_params == IOT_MAX_PARAMS)
		return;
	p = &s->param[s->n_params++];
	p->kind_name = colon ? colon + 1 : "";
	if (colon)
		*colon = '\0';
	p->found = *text == '+';
	p->name = text + p->found;
	p->kind = kind_of(p->kind_name);
	p->place = kinds[p->kind].place;
	/* the same numbers mean other things to madvise and posix_fadvise */
	if (p->kind == IOT_KIND_ADVICE && strstr(s->name, "fadvise"))
		p->kind = IOT_KIND_FADVISE;
	/* only the first descriptor is the record's; there is one size and one offset */
	for (i = 0; i + 1 < s->n_params; i++)
		if (p->place == s->param[i].place && p->place != IOT_AT_NONE &&
		    p->place != IOT_AT_ARG)
			p->place = IOT_AT_ARG;
	switch (p->kind) {
	case IOT_KIND_AIOCB:
		s->flags |= IOT_CALL_HAS_HANDLE | IOT_CALL_HAS_SIZE | IOT_CALL_HAS_OFFSET;
		break;
	case IOT_KIND_IOV:
	case IOT_KIND_MSG:
		s->flags |= IOT_CALL_HAS_SIZE;
		break;
	case IOT_KIND_ITEMSIZE:
		s->flags |= IOT_CALL_HAS_SIZE | IOT_CALL_HAS_ITEMS;
		break;
	case IOT_KIND_MPIOP:
	case IOT_KIND_MPIDONE:
		s->flags |= IOT_CALL_OPS;
		break;
	default:
		if (p->place == IOT_AT_HANDLE)
			s->flags |= IOT_CALL_HAS_HANDLE;
		if (p->place == IOT_AT_SIZE)
			s->flags |= IOT_CALL_HAS_SIZE;
		if (p->place == IOT_AT_OFFSET)
			s->flags |= IOT_CALL_HAS_OFFSET;
	}
}

/* openat(dirfd, path, flags, mode), with or without the dirfd: what compact records
   of it hold depends on just this. */
static bool opens(const struct iot_schema *s)
{
	const struct iot_param *p = s->param;
	unsigned n = s->n_params;

	if (n == 4 && p->kind == IOT_KIND_DIRFD) {
		p++;
		n--;
	}
	return s->result == IOT_KIND_FD && n == 3 &&
	       (p->kind == IOT_KIND_PATH || p->kind == IOT_KIND_RELPATH) &&
	       p[1].kind == IOT_KIND_OFLAGS && p[2].kind == IOT_KIND_MODE;
}

/* lseek(fd, offset, whence): likewise. */
static bool seeks(const struct iot_schema *s)
{
	return s->result == IOT_KIND_POS && s->n_params == 3 && s->param[1].kind == IOT_KIND_LONG &&
	       s->param[2].kind == IOT_KIND_WHENCE;
}

struct iot_calls iot_no_calls;

static struct iot_calls *new_calls(struct iot_log *log)
{
	struct iot_calls *c = iot_alloc(sizeof(*c));

	c->next = log->shared->calls;
	log->shared->calls = c;
	return c;
}

static bool calls_only(const char *text, size_t size)
{
	const char *p = text, *end = text + size, *nl;

	for (; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl || nl - p < 5 || memcmp(p, "call ", 5))
			return false;
	}
	return true;
}

struct iot_calls *iot_calls_get(struct iot_log *log, const char *text, size_t size, bool *known)
{
	struct iot_calls *c;

	if (!calls_only(text, size))
		return NULL;
	for (c = log->shared->calls; c; c = c->next)
		if (c->text && c->size == size && !memcmp(c->text, text, size))
			break;
	*known = c;
	if (c)
		return c;
	c = new_calls(log);
	c->text = iot_arena_copy(&c->arena, text, size);
	c->size = size;
	return c;
}

void iot_calls_free(struct iot_shared *shared)
{
	struct iot_calls *c;

	while ((c = shared->calls)) {
		shared->calls = c->next;
		free(c->keys.key);
		iot_arena_free(&c->arena);
		free(c);
	}
}

void iot_schema_parse(struct iot_log *log, const char *value)
{
	struct iot_calls *c = log->calls == &iot_no_calls ? new_calls(log) : log->calls;
	char *line = iot_arena_copy(&c->arena, value, strlen(value));
	char *id = word(&line), *family = word(&line), *name = word(&line);
	char *syscall = word(&line), *flags = word(&line), *result = word(&line), *param, *end;
	struct iot_schema *s;
	unsigned long n;

	log->calls = c;
	if (!result) {
		iot_say(log, IOT_DAMAGE, "a call line of the header is cut short");
		return;
	}
	n = strtoul(id, &end, 10);
	if (*end || n == 0 || n >= IOT_MAX_CALL || c->schema[n]) {
		iot_say(log, IOT_DAMAGE, "a call line of the header has a wrong id (%s)", id);
		return;
	}
	s = iot_arena_alloc(&c->arena, sizeof(*s));
	s->id = (unsigned)n;
	s->family = family;
	s->name = name;
	s->syscall = strcmp(syscall, "-") ? syscall : NULL;
	s->result = kind_of(result);
	/* exit runs the program's handlers */
	if (has_flag(flags, "callback") || s->result == IOT_KIND_NORETURN)
		s->flags |= IOT_CALL_CALLBACK;
	if (has_flag(flags, "collective"))
		s->flags |= IOT_CALL_COLLECTIVE;
	if (!strncmp(name, "MPI_", 4) || !strcmp(name, "io_complete") || !strcmp(family, "fortran"))
		s->flags |= IOT_CALL_NAMED;
	while ((param = word(&line)))
		add_param(s, param);
	/* the name that readdir found is written like an argument, but is its result */
	if (s->result == IOT_KIND_DIRENT && s->n_params &&
	    s->param[s->n_params - 1].kind == IOT_KIND_STR)
		s->n_params--;
	if (opens(s))
		s->flags |= IOT_CALL_OPENS;
	if (seeks(s))
		s->flags |= IOT_CALL_SEEKS;
	c->schema[n] = s;
	c->order[c->n_order++] = s->id;
}

const struct iot_schema *iot_schema_unknown(struct iot_log *log, unsigned id)
{
	struct iot_schema *s = iot_idmap_get(&log->unknown, id);
	char name[32];

	if (s)
		return s;
	s = iot_arena_alloc(&log->arena, sizeof(*s));
	snprintf(name, sizeof(name), "call#%u", id);
	s->id = id;
	s->family = "unknown";
	s->name = iot_arena_copy(&log->arena, name, strlen(name));
	s->flags = IOT_CALL_UNKNOWN | IOT_CALL_CALLBACK;
	s->result = IOT_KIND_UNKNOWN;
	iot_idmap_put(&log->unknown, id, s);
	iot_say(log, IOT_DAMAGE, "call %u is used but not in the header's list of calls", id);
	return s;
}

struct iot_schema *iot_log_schema(const struct iot_log *log, size_t n)
{
	const struct iot_calls *c = log->calls;

	return n < c->n_order ? c->schema[c->order[n]] : NULL;
}
