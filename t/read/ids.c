/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ids.c [-f] LOG... - are the numbers of calls what <iotrace/read.h> says of them?
 *
 * Reads the logs as one set (-f: follows them), once more, and thread by thread, and says
 * "CALLS calls, PARENTS parents", or what is wrong.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "iotrace/read.h"

struct seen {
	uint64_t id, parent_id, start, end;
	const struct iotr_log *log;
	const struct iotr_schema *schema, *parent;
	uint32_t stream, depth;
	unsigned status;
};

struct list {
	struct seen *seen;
	size_t n, cap;
};

static void add(void *arg, const struct iotr_call *c)
{
	struct list *l = arg;

	if (c->resumed)
		return; /* again */
	if (l->n == l->cap) {
		l->cap = l->cap ? 2 * l->cap : 1024;
		l->seen = realloc(l->seen, l->cap * sizeof(*l->seen));
		if (!l->seen)
			exit(99);
	}
	l->seen[l->n++] = (struct seen){
		.id = c->id,
		.parent_id = c->parent_id,
		.start = c->start,
		.end = c->status == IOTR_FINISHED ? c->start + c->dur : UINT64_MAX,
		.log = c->log,
		.schema = c->schema,
		.parent = c->parent,
		.stream = c->stream,
		.depth = c->depth,
		.status = c->status,
	};
}

static int by_id(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static void fail(const char *what, const struct seen *s)
{
	printf("call %llu, %s: %s\n", (unsigned long long)s->id, s->schema->name, what);
	exit(1);
}

static struct iotr_set *open_set(char **file)
{
	struct iotr_set *set = iotr_set_new(NULL, NULL);

	for (; *file; file++)
		if (iotr_set_add(set, *file) < 0)
			exit(2);
	return set;
}

static struct list in_order(struct iotr_set *set)
{
	const struct iotr_call *c;
	struct list l = {0};

	while ((c = iotr_set_next(set)))
		add(&l, c);
	return l;
}

static struct list followed(struct iotr_follow *f, char **file)
{
	const struct iotr_call *c;
	struct list l = {0};

	for (; *file; file++)
		if (iotr_follow_add(f, *file) < 0)
			exit(2);
	for (int wait = 0; wait >= 0;) {
		wait = iotr_follow_poll(f);
		while ((c = iotr_follow_next(f)))
			add(&l, c);
	}
	return l;
}

/* sorted: the same, by id */
static size_t check_parents(const struct list *sorted)
{
	size_t n = 0;

	for (size_t i = 0; i < sorted->n; i++) {
		const struct seen *s = &sorted->seen[i], *p;

		if (!s->id)
			fail("has no number", s);
		if (i && s[-1].id == s->id)
			fail("has the number of another", s);
		if (!s->parent != !s->parent_id)
			fail("has a parent without a number, or a number without a parent", s);
		if (!s->parent)
			continue;
		p = bsearch(&(struct seen){.id = s->parent_id}, sorted->seen, sorted->n, sizeof(*p),
			    by_id);
		if (!p || p->log != s->log || p->stream != s->stream || p->schema != s->parent)
			fail("its parent is not the call of that number", s);
		if (p->depth + 1 != s->depth || p->start > s->start || p->end < s->start)
			fail("is not within its parent", s);
		n++;
	}
	return n;
}

static void check_same(const struct list *a, const struct list *b, bool parents)
{
	if (a->n != b->n) {
		printf("%zu calls, and %zu the second time\n", a->n, b->n);
		exit(1);
	}
	for (size_t i = 0; i < a->n; i++) {
		const struct seen *x = &a->seen[i], *y = &b->seen[i];

		if (x->id != y->id || x->start != y->start || x->stream != y->stream ||
		    x->depth != y->depth || x->status != y->status ||
		    strcmp(x->schema->name, y->schema->name) != 0)
			fail("is another one when read again", x);
		if (y->parent_id != (parents ? x->parent_id : 0))
			fail("has another parent when read again", x);
	}
}

static void sort(struct list *l)
{
	if (l->n)
		qsort(l->seen, l->n, sizeof(*l->seen), by_id);
}

int main(int argc, char **argv)
{
	struct iotr_set *set[3];
	struct list l, other = {0};
	size_t parents;

	if (argc > 1 && !strcmp(argv[1], "-f")) {
		struct iotr_follow *f = iotr_follow_new(UINT64_MAX, NULL, NULL);

		l = followed(f, argv + 2);
		sort(&l);
		parents = check_parents(&l);
		iotr_follow_free(f);
	} else {
		for (int i = 0; i < 3; i++)
			set[i] = open_set(argv + 1);
		l = in_order(set[0]);
		other = in_order(set[1]);
		check_same(&l, &other, true);
		sort(&l);
		parents = check_parents(&l);
		other.n = 0;
		iotr_set_scan(set[2], add, &other);
		sort(&other);
		check_same(&l, &other, false);
		for (int i = 0; i < 3; i++)
			iotr_set_free(set[i]);
	}
	printf("%zu calls, %zu parents\n", l.n, parents);
	free(l.seen);
	free(other.seen);
	return 0;
}
