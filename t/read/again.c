/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * again.c LOG... - reads a set again and again, in part, and compares each part with what
 * was in it when all was read.  Prints "PART BYTES of BYTES read" for each, or what differs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "iotrace/read.h"

struct seen {
	uint64_t id, parent_id, start;
	uint32_t process;
	const struct iotr_schema *schema;
	const struct iotr_log *log;
	bool path; /* chosen by path_fn */
	bool any;  /* one of its files is */
	bool one;  /* one of its files is that of one_fn */
};

struct list {
	struct seen *seen;
	size_t n, cap;
};

static bool process_fn(void *arg, const struct iotr_log *log, const struct iotr_process *process)
{
	(void)arg;
	(void)log;
	return process->number % 2;
}

static bool schema_fn(void *arg, const struct iotr_schema *schema)
{
	return strchr(schema->name, *(const char *)arg);
}

static bool path_fn(void *arg, const struct iotr_path *path)
{
	(void)arg;
	return path->len % 2;
}

static bool one_fn(void *arg, const struct iotr_path *path)
{
	(void)arg;
	return path->len > 8 && !memcmp(path->name + path->len - 8, "/file-99", 8);
}

static bool handle_is(iotr_path_fn *fn, const struct iotr_handle *h)
{
	return h && h->path && fn(NULL, h->path);
}

/* Does the call name such a file, or does it pass whatever it names? */
static bool names(const struct iotr_call *c, iotr_path_fn *fn)
{
	bool found = c->schema->flags & IOTR_CALL_OPS || iotr_schema_is_any(c->schema) ||
		     handle_is(fn, c->handle);

	for (unsigned i = 0; i < c->schema->n_params; i++) {
		const struct iotr_value *v = &c->value[i];
		const enum iotr_kind kind = c->schema->param[i].kind;

		found |= v->type == IOTR_VAL_PATH && fn(NULL, v->path);
		found |= v->type == IOTR_VAL_HANDLE && handle_is(fn, v->handle);
		found |= v->type == IOTR_VAL_PAIR && (handle_is(fn, v->pair[0]) || handle_is(fn, v->pair[1]));
		found |= v->type == IOTR_VAL_BYTES && (kind == IOTR_KIND_PATH || kind == IOTR_KIND_RELPATH) &&
			 fn(NULL, &(struct iotr_path){.name = v->bytes, .len = v->len});
	}
	return found;
}

/* What is not wanted need not be asked for. */
static void ask_for_nothing(const struct iotr_call *c)
{
	static const struct iotr_log *asked;

	if (!iotr_call_path(c, NULL, NULL, NULL) != !iotr_call_path(c, &(size_t){0}, NULL, &(int){0})) {
		puts("a path is there, or is not");
		exit(1);
	}
	if (c->log == asked)
		return;
	asked = c->log;
	if (!iotr_log_key_at(asked, 0, NULL, NULL, NULL) || iotr_log_key_at(asked, SIZE_MAX / 2, NULL, NULL, NULL)) {
		puts("keys are there, or are not");
		exit(1);
	}
}

static void add(void *arg, const struct iotr_call *c)
{
	struct list *l = arg;
	const struct iotr_path *path;
	struct iotr_path found = {0};

	if (l->n == l->cap) {
		l->cap = l->cap ? 2 * l->cap : 1024;
		l->seen = realloc(l->seen, l->cap * sizeof(*l->seen));
		if (!l->seen)
			exit(99);
	}
	ask_for_nothing(c);
	found.name = iotr_call_path(c, &found.len, &path, NULL);
	l->seen[l->n++] = (struct seen){
		.id = c->id,
		.parent_id = c->parent_id,
		.start = c->start,
		.process = c->process,
		.schema = c->schema,
		.log = c->log,
		.path = found.name && path_fn(NULL, &found),
		.any = names(c, path_fn),
		.one = names(c, one_fn),
	};
}

static struct list in_order(struct iotr_set *set)
{
	const struct iotr_call *c;
	struct list l = {0};

	while ((c = iotr_set_next(set)))
		add(&l, c);
	return l;
}

static int by_id(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static void check_same(const char *what, const struct list *a, const struct list *b, bool parents)
{
	size_t i = 0;

	while (i < a->n && i < b->n && a->seen[i].id == b->seen[i].id &&
	       (!parents || a->seen[i].parent_id == b->seen[i].parent_id))
		i++;
	if (i == a->n && i == b->n)
		return;
	printf("%s: of %zu calls, %zu are there, and number %zu differs\n", what, a->n, b->n, i);
	exit(1);
}

/* Reads what was chosen, in both ways; all: among what. */
static void compare(const char *what, struct iotr_set *set, const struct list *all,
		    bool (*wanted)(const struct seen *s, const void *arg), const void *arg)
{
	struct list want = {0}, got, scanned = {0};
	uint64_t done, total;

	want.seen = malloc((all->n + 1) * sizeof(*want.seen));
	if (!want.seen)
		exit(99);
	for (size_t i = 0; i < all->n; i++)
		if (wanted(&all->seen[i], arg))
			want.seen[want.n++] = all->seen[i];
	got = in_order(set);
	check_same(what, &want, &got, true);
	iotr_set_progress(set, &done, &total);
	printf("%s: %zu calls, %llu of %llu bytes read\n", what, got.n, (unsigned long long)done,
	       (unsigned long long)total);
	iotr_set_scan(set, add, &scanned);
	qsort(want.seen, want.n, sizeof(*want.seen), by_id);
	if (scanned.n)
		qsort(scanned.seen, scanned.n, sizeof(*scanned.seen), by_id);
	check_same(what, &want, &scanned, false);
	free(want.seen);
	free(got.seen);
	free(scanned.seen);
}

static bool any(const struct seen *s, const void *arg)
{
	(void)s;
	(void)arg;
	return true;
}

static bool within(const struct seen *s, const void *arg)
{
	const uint64_t *span = arg;

	return s->start >= span[0] && s->start < span[1];
}

static bool of_process(const struct seen *s, const void *arg)
{
	(void)arg;
	return s->process % 2;
}

static bool of_kind(const struct seen *s, const void *arg)
{
	return schema_fn((void *)arg, s->schema);
}

static bool of_path(const struct seen *s, const void *arg)
{
	(void)arg;
	return s->path;
}

static bool of_any(const struct seen *s, const void *arg)
{
	(void)arg;
	return s->any;
}

static bool of_one(const struct seen *s, const void *arg)
{
	(void)arg;
	return s->one;
}

static bool rare_fn(void *arg, const struct iotr_schema *schema)
{
	return !strcmp(schema->name, arg);
}

static bool is_rare(const struct seen *s, const void *arg)
{
	return rare_fn((void *)arg, s->schema);
}

static size_t added_up(const struct iotr_notes *notes)
{
	const void *about;
	size_t at = 0, n = 0;
	void *note;

	while (iotr_notes_next(notes, &at, &about, &note))
		n += (uintptr_t)note;
	return n;
}

int main(int argc, char **argv)
{
	struct iotr_set *set = iotr_set_new(NULL, NULL);
	struct iotr_notes *a = iotr_notes_new(), *b = iotr_notes_new();
	struct list all;
	char letter[] = "r";

	for (int i = 1; i < argc; i++)
		if (iotr_set_add(set, argv[i]) < 0)
			return 2;
	for (int i = 0; i < 10; i++)
		iotr_set_next(set); /* and not to the end */
	iotr_set_rewind(set);
	all = in_order(set);
	iotr_set_rewind(set);
	compare("all", set, &all, any, NULL);
	for (int tenth = 9; tenth >= 0 && all.n; tenth--) {
		uint64_t span[2] = {all.seen[all.n * tenth / 10].start, UINT64_MAX};
		char what[40];

		snprintf(what, sizeof(what), "from %d on", tenth);
		iotr_set_seek(set, span[0], span[1]);
		compare(what, set, &all, within, span);
		span[1] = all.seen[all.n * (10 + tenth) / 20].start;
		snprintf(what, sizeof(what), "from %d to %.1f", tenth, (10 + tenth) / 2.0);
		iotr_set_seek(set, span[0], span[1]);
		compare(what, set, &all, within, span);
	}
	iotr_set_seek(set, 0, UINT64_MAX);
	compare("all again", set, &all, any, NULL);
	iotr_set_processes(set, process_fn, NULL);
	compare("processes", set, &all, of_process, NULL);
	iotr_set_processes(set, NULL, NULL);
	for (int i = 0; i < 2; i++) {
		*letter = "rw"[i];
		iotr_set_calls(set, schema_fn, letter);
		compare("kinds", set, &all, of_kind, letter);
	}
	iotr_set_calls(set, rare_fn, "fsync");
	compare("rare", set, &all, is_rare, "fsync");
	iotr_set_calls(set, NULL, NULL);
	iotr_set_paths(set, path_fn, NULL);
	compare("paths", set, &all, of_path, NULL);
	iotr_set_paths(set, NULL, NULL);
	iotr_set_any_paths(set, path_fn, NULL);
	compare("any paths", set, &all, of_any, NULL);
	iotr_set_any_paths(set, one_fn, NULL);
	compare("one file", set, &all, of_one, NULL);
	iotr_set_calls(set, rare_fn, "fsync");
	iotr_set_calls(set, NULL, NULL);
	compare("one file again", set, &all, of_one, NULL);

	/* two analyses count calls by kind, one of them half of the calls */
	for (size_t i = 0; i < all.n; i++) {
		const struct iotr_schema *s = all.seen[i].schema;

		iotr_notes_put(a, s, (char *)iotr_notes_get(a, s) + 1);
		if (i % 2)
			iotr_notes_put(b, s, (char *)iotr_notes_get(b, s) + 1);
	}
	printf("notes: %zu %zu of %zu\n", added_up(a), added_up(b), all.n);
	iotr_notes_free(a);
	iotr_notes_free(b);
	iotr_set_free(set);
	free(all.seen);
	return 0;
}
