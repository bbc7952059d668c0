/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names.c - one file, whatever names it was reached by: rows of names that had the same
 * device and inode become one.  And whether a name is a file's at all.
 *
 * The kernel uses an inode again for another file when the last name is gone.  Two names
 * are of one file if a call had found the one before the other was removed.  Of a call that was
 * still in progress then, nobody knows that: it may be what made the next file.
 */
#include "config.h"

#include <search.h>
#include <stdlib.h>
#include <sys/stat.h>

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

static void gone(struct iota *a, struct iota_row *row, uint64_t when)
{
	if (row && (!row->rare->gone || when < row->rare->gone))
		iota_rare_of(a, row)->gone = when;
}

void iota_name_removed(struct iota *a, const struct iotr_call *call)
{
	unsigned i;

	if (call->err || call->ret)
		return;
	for (i = 0; i < call->schema->n_params; i++)
		if (call->value[i].type == IOTR_VAL_PATH)
			gone(a, call->value[i].path->user, call->start);
}

void iota_name_reached(struct iota_row *row, uint64_t when)
{
	if (when && (!row->reached || when < row->reached))
		row->reached = when;
}

static int compare(uint64_t x, uint64_t y)
{
	return x < y ? -1 : x > y;
}

/* By which rows are sorted: a job has more of them than caches hold. */
struct inode {
	uint64_t ino, dev, reached;
	struct iota_row *row;
};

/* Those of one inode are next to each other, by time. */
static int by_inode(const void *a, const void *b)
{
	const struct inode *x = a, *y = b;
	int c = compare(x->ino, y->ino);

	c = c ? c : compare(x->dev, y->dev);
	c = c ? c : strcmp(x->row->extra ? x->row->extra : "", y->row->extra ? y->row->extra : "");
	c = c ? c : compare(x->reached, y->reached);
	return c ? c : strcmp(x->row->key, y->row->key);
}

static void sort_by_inode(const struct iota_table *t)
{
	struct inode *inode = iota_grow(NULL, t->n, sizeof(*inode));
	size_t i;

	for (i = 0; i < t->n; i++)
		inode[i] = (struct inode){t->row[i]->ino, t->row[i]->dev, t->row[i]->reached, t->row[i]};
	qsort(inode, t->n, sizeof(*inode), by_inode);
	for (i = 0; i < t->n; i++)
		t->row[i] = inode[i].row;
	free(inode);
}

/* Was the name known to be a file's before another one was taken away? */
static bool was_before(const struct iota_row *row, uint64_t gone)
{
	return !gone || (row->reached && row->reached < gone);
}

static bool same_file(const struct iota_row *x, const struct iota_row *y)
{
	return x->ino && x->ino == y->ino && x->dev == y->dev && !x->several && !y->several &&
	       x->extra && y->extra && !strcmp(x->extra, y->extra) &&
	       was_before(y, x->rare->gone) && was_before(x, y->rare->gone);
}

static void join(struct iota *a, struct iota_row *to, struct iota_row *from)
{
	const struct iota_rare *rare = from->rare;
	uint64_t v[IOTA_N_FILE];
	unsigned i;
	size_t j;

	iota_numbers_copy(v, from, IOTA_N_FILE);
	iota_merge(a, IOTA_BY_FILE, iota_numbers(a, to), v, IOTA_N_FILE);
	for (i = 0; i < 2; i++) {
		to->placed[i] += from->placed[i];
		iota_sizes_add(a, &to->sizes[i], from->sizes[i]);
		iota_owned_join(&a->memory, &to->seen[i], from->seen[i]);
	}
	to->mode = to->mode ? to->mode : from->mode;
	to->buffering |= from->buffering;
	to->traits |= from->traits;
	if (from->most_opened > to->most_opened)
		to->most_opened = from->most_opened;
	if (rare->gone)
		gone(a, to, rare->gone);
	if (rare->removed > to->rare->removed)
		iota_rare_of(a, to)->removed = rare->removed;
	to->movers |= from->movers;
	iota_name_reached(to, from->reached);
	for (i = 0; i < 2; i++) {
		iota_moved_by(a, to, i, from->mover[i], from->mover_tid[i]);
		for (j = 0; rare->more[i] && j < rare->more[i]->n; j++)
			iota_moved_by(a, to, i, rare->more[i]->process[j], 0);
	}
	iota_row_free(from);
	*iota_rare_of(a, from) = (struct iota_rare){.same = to, .other = to->rare->other};
	iota_rare_of(a, to)->other = from;
}

void iota_names_join(struct iota *a)
{
	struct iota_table *t = &a->table[IOTA_BY_FILE];
	size_t i, n = 0;

	if (!t->n)
		return;
	sort_by_inode(t);
	for (i = 0; i < t->n; i++) {
		if (n && same_file(t->row[n - 1], t->row[i]))
			join(a, t->row[n - 1], t->row[i]);
		else
			t->row[n++] = t->row[i];
	}
	t->n = n;
	for (i = 0; i < a->spots.n; i++)
		if (a->spots.spot[i]->file->rare->same)
			a->spots.spot[i]->file = a->spots.spot[i]->file->rare->same;
}

/* Devices that are no hardware, and are read and written as files are. */
static bool is_memory(const struct iota_row *file)
{
	static const char *const names[] = {"/dev/urandom", "/dev/random", "/dev/zero", "/dev/full", "/dev/null", NULL};

	return S_ISCHR(file->mode) && iota_is_one_of(names, file->name);
}

bool iota_regular(const struct iota_row *file)
{
	if (is_memory(file))
		return true;
	return file->mode ? S_ISREG(file->mode) : file->name_len && file->name[0] == '/';
}
