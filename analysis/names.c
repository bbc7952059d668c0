/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names.c - one file, whatever names it was reached by: rows of names that had the same
 * device and inode become one.
 *
 * The kernel uses an inode again for another file when the last name is gone.  Two names
 * are of one file if neither had been removed when the other was first used.
 */
#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "spots.h"

/* What the kernel calls a file that has no name, or none any more: its inode is used again
   when it is closed, or is that of all its kind (anon_inode:[eventfd]). */
static bool nameless(const struct iotr_path *path)
{
	static const char deleted[] = " (deleted)";
	const size_t n = sizeof(deleted) - 1;

	if (path->len && path->name[0] != '/')
		return true;
	return path->len > n && !memcmp(path->name + path->len - n, deleted, n);
}

void iota_name_is(struct iota *a, struct iota_row *row, const struct iotr_path *path)
{
	const char *host = iotr_log_key(a->thread.log, "host", NULL);

	if (!path->ino)
		return;
	row->several |= nameless(path);
	if (!row->ino) {
		row->dev = path->dev;
		row->ino = path->ino;
		row->extra = host;
		return;
	}
	if (row->dev != path->dev || row->ino != path->ino || !host || !row->extra ||
	    strcmp(host, row->extra) != 0)
		row->several = true;
}

static void gone(struct iota_row *row, uint64_t when)
{
	if (row && (!row->gone || when < row->gone))
		row->gone = when;
}

void iota_name_removed(const struct iotr_call *call)
{
	unsigned i;

	if (call->err || call->ret)
		return;
	for (i = 0; i < call->schema->n_params; i++)
		if (call->value[i].type == IOTR_VAL_PATH)
			gone(call->value[i].path->user, call->start);
}

static int compare(uint64_t x, uint64_t y)
{
	return x < y ? -1 : x > y;
}

/* Those of one inode are next to each other, by time. */
static int by_inode(const void *a, const void *b)
{
	const struct iota_row *x = *(struct iota_row *const *)a, *y = *(struct iota_row *const *)b;
	int c = compare(x->ino, y->ino);

	c = c ? c : compare(x->dev, y->dev);
	c = c ? c : strcmp(x->extra ? x->extra : "", y->extra ? y->extra : "");
	c = c ? c : compare(x->v[IOTA_F_FIRST], y->v[IOTA_F_FIRST]);
	return c ? c : strcmp(x->key, y->key);
}

static bool same_file(const struct iota_row *x, const struct iota_row *y)
{
	return x->ino && x->ino == y->ino && x->dev == y->dev && !x->several && !y->several &&
	       x->extra && y->extra && !strcmp(x->extra, y->extra) &&
	       (!x->gone || y->v[IOTA_F_FIRST] < x->gone) &&
	       (!y->gone || x->v[IOTA_F_FIRST] < y->gone);
}

static void add_interval(void *to, const struct iota_interval *i)
{
	iota_intervals_set(to, *i);
}

static void join(struct iota *a, struct iota_row *to, struct iota_row *from)
{
	unsigned i;
	size_t j;

	iota_merge(a, IOTA_BY_FILE, to->v, from->v, a->table[IOTA_BY_FILE].shape->n_fields);
	for (i = 0; i < 2; i++) {
		to->placed[i] += from->placed[i];
		iota_sizes_add(a, &to->sizes[i], from->sizes[i]);
		if (!from->seen[i])
			continue;
		if (!to->seen[i])
			to->seen[i] = iota_alloc(&a->memory, sizeof(*to->seen[i]));
		iota_intervals_each(from->seen[i], add_interval, to->seen[i]);
		iota_intervals_free(from->seen[i]);
		from->seen[i] = NULL;
	}
	to->mode = to->mode ? to->mode : from->mode;
	to->buffering |= from->buffering;
	to->traits |= from->traits;
	if (from->most_opened > to->most_opened)
		to->most_opened = from->most_opened;
	if (from->gone)
		gone(to, from->gone);
	if (from->removed > to->removed)
		to->removed = from->removed;
	to->movers |= from->movers;
	for (i = 0; i < 2; i++) {
		iota_moved_by(to, i, from->mover[i], from->mover_tid[i]);
		for (j = 0; from->more[i] && j < from->more[i]->n; j++)
			iota_moved_by(to, i, from->more[i]->process[j], 0);
	}
	from->same = to;
	from->other = to->other;
	to->other = from;
}

void iota_names_join(struct iota *a)
{
	struct iota_table *t = &a->table[IOTA_BY_FILE];
	size_t i, n = 0;

	if (!t->n)
		return;
	qsort(t->row, t->n, sizeof(struct iota_row *), by_inode);
	for (i = 0; i < t->n; i++) {
		if (n && same_file(t->row[n - 1], t->row[i]))
			join(a, t->row[n - 1], t->row[i]);
		else
			t->row[n++] = t->row[i];
	}
	t->n = n;
	for (i = 0; i < a->spots.n; i++)
		if (a->spots.spot[i]->file->same)
			a->spots.spot[i]->file = a->spots.spot[i]->file->same;
}
