/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schema.c - the calls that a log knows, from the `call` lines of its header:
 *	ID FAMILY NAME SYSCALL|- FLAGS|- RESULT PARAM:KIND...
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "families.h"
#include "schema.h"

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

static void add_param(struct iotr_schema *s, char *text)
{
	struct iotr_param *p;
	char *colon = strrchr(text, ':');
	unsigned i;

	if (s->n_params == IOTR_MAX_PARAMS)
		return;
	p = &s->param[s->n_params++];
	p->kind_name = colon ? colon + 1 : "";
	if (colon)
		*colon = '\0';
	p->found = *text == '+';
	p->name = text + p->found;
	p->kind = iotr_kind_of(p->kind_name);
	iotr_kind_describe(p);
	/* only the first descriptor is the record's; there is one size and one offset */
	for (i = 0; i + 1 < s->n_params; i++)
		if (p->place == s->param[i].place && p->place != IOTR_AT_NONE &&
		    p->place != IOTR_AT_ARG)
			p->place = IOTR_AT_ARG;
	switch (p->kind) {
	case IOTR_KIND_AIOCB:
		s->flags |= IOTR_CALL_HAS_HANDLE | IOTR_CALL_HAS_SIZE | IOTR_CALL_HAS_OFFSET;
		break;
	case IOTR_KIND_IOV:
	case IOTR_KIND_MSG:
		s->flags |= IOTR_CALL_HAS_SIZE;
		break;
	case IOTR_KIND_ITEMSIZE:
		s->flags |= IOTR_CALL_HAS_SIZE | IOTR_CALL_HAS_ITEMS;
		break;
	case IOTR_KIND_MPIOP:
	case IOTR_KIND_MPIDONE:
	case IOTR_KIND_OPERATION:
		s->flags |= IOTR_CALL_OPS;
		break;
	default:
		if (p->place == IOTR_AT_HANDLE)
			s->flags |= IOTR_CALL_HAS_HANDLE;
		if (p->place == IOTR_AT_SIZE)
			s->flags |= IOTR_CALL_HAS_SIZE;
		if (p->place == IOTR_AT_OFFSET)
			s->flags |= IOTR_CALL_HAS_OFFSET;
	}
}

/* openat(dirfd, path, flags, mode), with or without the dirfd: what compact records
   of it hold depends on just this. */
static bool opens(const struct iotr_schema *s)
{
	const struct iotr_param *p = s->param;
	unsigned n = s->n_params;

	if (n == 4 && p->kind == IOTR_KIND_DIRFD) {
		p++;
		n--;
	}
	return s->result == IOTR_KIND_FD && n == 3 &&
	       (p->kind == IOTR_KIND_PATH || p->kind == IOTR_KIND_RELPATH) &&
	       p[1].kind == IOTR_KIND_OFLAGS && p[2].kind == IOTR_KIND_MODE;
}

/* lseek(fd, offset, whence): likewise. */
static bool seeks(const struct iotr_schema *s)
{
	return s->result == IOTR_KIND_POS && s->n_params == 3 &&
	       s->param[1].kind == IOTR_KIND_LONG && s->param[2].kind == IOTR_KIND_WHENCE;
}

struct iotr_calls iotr_no_calls;

static struct iotr_calls *new_calls(struct iotr_log *log)
{
	struct iotr_calls *c = iotr_alloc(sizeof(*c));

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

struct iotr_calls *iotr_calls_get(struct iotr_log *log, const char *text, size_t size, bool *known)
{
	struct iotr_calls *c;

	if (!calls_only(text, size))
		return NULL;
	for (c = log->shared->calls; c; c = c->next)
		if (c->text && c->size == size && !memcmp(c->text, text, size))
			break;
	*known = c;
	if (c)
		return c;
	c = new_calls(log);
	c->text = iotr_arena_copy(&c->arena, text, size);
	c->size = size;
	return c;
}

void iotr_calls_free(struct iotr_shared *shared)
{
	struct iotr_calls *c;

	while ((c = shared->calls)) {
		shared->calls = c->next;
		free(c->keys.key);
		iotr_arena_free(&c->arena);
		free(c);
	}
}

void iotr_schema_parse(struct iotr_log *log, const char *value)
{
	struct iotr_calls *c = log->calls == &iotr_no_calls ? new_calls(log) : log->calls;
	char *line = iotr_arena_copy(&c->arena, value, strlen(value));
	char *id = word(&line), *family = word(&line), *name = word(&line);
	char *syscall = word(&line), *flags = word(&line), *result = word(&line), *param, *end;
	struct iotr_schema *s;
	unsigned long n;

	log->calls = c;
	if (!result) {
		iotr_say(log, IOTR_DAMAGE, "a call line of the header is cut short");
		return;
	}
	n = strtoul(id, &end, 10);
	if (*end || n == 0 || n >= IOTR_MAX_CALL || c->schema[n]) {
		iotr_say(log, IOTR_DAMAGE, "a call line of the header has a wrong id (%s)", id);
		return;
	}
	s = iotr_arena_alloc(&c->arena, sizeof(*s));
	s->id = (unsigned)n;
	s->family = family;
	s->name = name;
	s->syscall = strcmp(syscall, "-") ? syscall : NULL;
	s->result = iotr_kind_of(result);
	/* exit runs the program's handlers */
	if (has_flag(flags, "callback") || s->result == IOTR_KIND_NORETURN)
		s->flags |= IOTR_CALL_CALLBACK;
	if (has_flag(flags, "collective"))
		s->flags |= IOTR_CALL_COLLECTIVE;
	if (iotr_family_of(family).prints_names)
		s->flags |= IOTR_CALL_NAMED;
	while ((param = word(&line)))
		add_param(s, param);
	/* the name that readdir found is written like an argument, but is its result */
	if (s->result == IOTR_KIND_DIRENT && s->n_params &&
	    s->param[s->n_params - 1].kind == IOTR_KIND_STR)
		s->n_params--;
	if (opens(s))
		s->flags |= IOTR_CALL_OPENS;
	if (seeks(s))
		s->flags |= IOTR_CALL_SEEKS;
	c->schema[n] = s;
	c->order[c->n_order++] = s->id;
}

const struct iotr_schema *iotr_schema_unknown(struct iotr_log *log, unsigned id)
{
	struct iotr_schema *s = iotr_idmap_get(&log->unknown, id);
	char name[32];

	if (s)
		return s;
	s = iotr_arena_alloc(&log->arena, sizeof(*s));
	snprintf(name, sizeof(name), "call#%u", id);
	s->id = id;
	s->family = "unknown";
	s->name = iotr_arena_copy(&log->arena, name, strlen(name));
	s->flags = IOTR_CALL_UNKNOWN | IOTR_CALL_CALLBACK;
	s->result = IOTR_KIND_UNKNOWN;
	iotr_idmap_put(&log->unknown, id, s);
	iotr_say(log, IOTR_DAMAGE, "call %u is used but not in the header's list of calls", id);
	return s;
}

struct iotr_schema *iotr_log_schema(const struct iotr_log *log, size_t n)
{
	const struct iotr_calls *c = log->calls;

	return n < c->n_order ? c->schema[c->order[n]] : NULL;
}
