/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.c - the outcome, for people and as JSON Lines.
 */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "audit.h"

#define NAMES_SHOWN 6  /* in text; JSON has them all, */
#define NAMES_MAX 4096 /* unless somebody wants to fill our memory */

static const char *const verdict_names[] = {
	[V_UNCOVERED] = "uncovered",
	[V_INLINE] = "inline",
	[V_BEHIND] = "covered",
	[V_UNUSED] = "unused",
};

/* Names come from the file that is examined: no control characters pass. */
static char *printable(const char *s, bool json)
{
	char *out = iot_audit_alloc(6 * strlen(s) + 1, 1), *p = out;

	for (; *s; s++) {
		unsigned char c = *s;

		if (json && (c == '"' || c == '\\'))
			p += sprintf(p, "\\%c", c);
		else if (c >= 0x20 && c < 0x7f)
			*p++ = c;
		else
			p += sprintf(p, json ? "\\u%04x" : "\\%03o", c);
	}
	*p = '\0';
	return out;
}

static char *func_name(const struct audit *a, uint32_t f, bool json)
{
	char place[32];

	if (a->funcs[f].name)
		return printable(a->funcs[f].name, json);
	snprintf(place, sizeof(place), "0x%llx", (unsigned long long)a->funcs[f].start);
	return printable(place, json);
}

static char *ref_name(const struct audit *a, const struct ref *r, bool json)
{
	const struct symbol *s;
	char place[256];

	if (r->from == FROM_KERNEL)
		return printable("the entry point", json);
	if (r->from != NOT_A_FUNC)
		return func_name(a, a->funcs[r->from].owner, json);
	s = iot_audit_object_at(a, r->where);
	if (s)
		snprintf(place, sizeof(place), "data %.200s", s->name);
	else
		snprintf(place, sizeof(place), "data at 0x%llx", (unsigned long long)r->where);
	return printable(place, json);
}

struct names {
	char **v;
	size_t n;
};

static int compare_names(const void *x, const void *y)
{
	return strcmp(*(char *const *)x, *(char *const *)y);
}

static void add_name(struct names *names, char *name)
{
	names->v = iot_audit_grow(names->v, names->n, sizeof(*names->v));
	names->v[names->n++] = name;
}

/* Sorted, each once. */
static void tidy_names(struct names *names)
{
	size_t i, n = 0;

	if (names->n)
		qsort(names->v, names->n, sizeof(*names->v), compare_names);
	for (i = 0; i < names->n; i++) {
		if (n && !strcmp(names->v[n - 1], names->v[i]))
			free(names->v[i]);
		else
			names->v[n++] = names->v[i];
	}
	names->n = n;
}

static void free_names(struct names *names)
{
	size_t i;

	for (i = 0; i < names->n; i++)
		free(names->v[i]);
	free(names->v);
}

/* Who refers to the function: our side, or the others that nothing covers. */
static void collect(const struct audit *a, uint32_t func, const char *call, bool ours, bool json,
		    struct names *names)
{
	const struct func *f = &a->funcs[func];
	uint32_t i;

	for (i = f->first_ref; i < f->first_ref + f->n_refs; i++) {
		const struct ref *r = &a->refs[i];
		bool hop;

		if (names->n >= NAMES_MAX)
			break;
		if (i > f->first_ref && r->from < FROM_KERNEL && r->from == r[-1].from)
			continue;
		if (!iot_audit_ref_matters(a, r))
			continue;
		hop = call && r->from < FROM_KERNEL && iot_audit_stands_for(a, r->from, call);
		if (iot_audit_ref_is_ours(a, r)) {
			if (ours)
				add_name(names, ref_name(a, r, json));
		} else if (hop) {
			if (ours)
				collect(a, a->funcs[r->from].owner, NULL, true, json, names);
		} else if (!ours) {
			add_name(names, ref_name(a, r, json));
		}
	}
}

static void print_text(const struct audit *a, const struct group *g, const struct names *names)
{
	char *func = func_name(a, g->func, false);
	uint32_t i;
	size_t k;

	printf("%s  syscall %s  at ", func, g->call);
	free(func);
	for (i = 0; i < g->n_sites; i++)
		printf("%s0x%llx", i ? "," : "",
		       (unsigned long long)a->group_sites[g->first_site + i]);
	switch (g->verdict) {
	case V_UNCOVERED:
		fputs("  reached from ", stdout);
		break;
	case V_BEHIND:
		fputs("  behind ", stdout);
		break;
	case V_INLINE:
		printf("  without a wrapper: %s\n", g->reason);
		return;
	case V_UNUSED:
		puts("  never reached");
		return;
	}
	for (k = 0; k < names->n && k < NAMES_SHOWN; k++)
		printf("%s%s", k ? ", " : "", names->v[k]);
	if (k < names->n)
		printf(" and %zu more", names->n - k);
	putchar('\n');
}

static void print_json(const struct audit *a, const struct group *g, const struct names *names)
{
	char *func = func_name(a, g->func, true);
	uint32_t i;
	size_t k;

	printf("{\"function\":\"%s\",\"syscall\":\"%s\",\"sites\":[", func, g->call);
	free(func);
	for (i = 0; i < g->n_sites; i++)
		printf("%s\"0x%llx\"", i ? "," : "",
		       (unsigned long long)a->group_sites[g->first_site + i]);
	printf("],\"verdict\":\"%s\"", verdict_names[g->verdict]);
	if (g->verdict == V_INLINE) {
		char *reason = printable(g->reason, true);

		printf(",\"reason\":\"%s\"", reason);
		free(reason);
	} else if (g->verdict != V_UNUSED) {
		printf(",\"%s\":[", g->verdict == V_BEHIND ? "behind" : "reached_from");
		for (k = 0; k < names->n; k++)
			printf("%s\"%s\"", k ? "," : "", names->v[k]);
		putchar(']');
	}
	puts("}");
}

static void print_group(const struct audit *a, const struct group *g, bool json)
{
	struct names names = {0};

	if (g->verdict == V_UNCOVERED || g->verdict == V_BEHIND)
		collect(a, g->func, g->call, g->verdict == V_BEHIND, json, &names);
	tidy_names(&names);
	if (json)
		print_json(a, g, &names);
	else
		print_text(a, g, &names);
	free_names(&names);
}

static void count_line(size_t n, const char *one, const char *many)
{
	printf("%zu %s\n", n, n == 1 ? one : many);
}

void iot_audit_report(const struct audit *a, bool json, bool verbose)
{
	size_t i, n_inline = iot_audit_count(a, V_INLINE);
	char *path;

	if (!a->n_wrappers) {
		path = printable(a->path, false);
		if (json)
			puts("{\"verdict\":\"no wrappers\"}");
		else
			printf("%s has no wrappers: it was not linked with iocc, nothing that it "
			       "does is recorded\n",
			       path);
		free(path);
		return;
	}
	for (i = 0; i < a->n_groups; i++)
		if (verbose || a->groups[i].verdict == V_UNCOVERED)
			print_group(a, &a->groups[i], json);
	if (json)
		return;
	if (verbose) {
		count_line(a->n_recorder_sites, "site is the recorder's",
			   "sites are the recorder's");
		count_line(a->n_other_sites, "site makes a call that is no I/O",
			   "sites make calls that are no I/O");
	}
	if (n_inline)
		count_line(n_inline,
			   "site in libc's start-up and fatal-error code cannot have a "
			   "wrapper (-v lists it)",
			   "sites in libc's start-up and fatal-error code cannot have a wrapper "
			   "(-v lists them)");
}
