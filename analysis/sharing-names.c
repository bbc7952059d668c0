/* SPDX-License-Identifier: BSD-3-Clause */
/* sharing-names.c - when all calls have come: which names are of one file. */
#include "config.h"

#include <stdlib.h>

#include "constellation.h"

/* A name of a file, and the line that iotrace-stat --by=file has for it. */
struct named {
	const struct iota_row *row;
	struct iota_sharing_file *f;
};

static int by_row(const struct named *x, const struct named *y)
{
	int order;

	if (x->row != y->row) {
		order = strcmp(x->row->key, y->row->key);
		return order ? order : (x->row > y->row) - (x->row < y->row);
	}
	if (x->f->inode_len != y->f->inode_len)
		return x->f->inode_len < y->f->inode_len ? -1 : 1;
	return memcmp(x->f->key, y->f->key, x->f->inode_len);
}

static int by_row_and_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = by_row(x, y);

	return order ? order : strcmp(x->f->key, y->f->key);
}

/* Names are of one file if they have one line and had one inode. */
static void join_names(struct iota *a)
{
	struct iota_sharing *s = a->sharing;
	struct named *named = iota_grow(NULL, s->n_files + 1, sizeof(*named));
	size_t n = 0, first, i, j;

	for (i = 0; i < s->n_files; i++) {
		struct iota_sharing_file *f = s->file[i];
		const struct iota_row *row =
			f->has_inode ? iota_row_find(a, IOTA_BY_FILE, f->name[0], strlen(f->name[0])) : NULL;

		if (row)
			named[n++] = (struct named){row->rare->same ? row->rare->same : row, f};
	}
	if (n)
		qsort(named, n, sizeof(*named), by_row_and_name);
	for (first = 0; first < n; first = i) {
		for (i = first + 1; i < n && !by_row(&named[first], &named[i]); i++) {
			for (j = 0; j < named[i].f->n_names; j++)
				iota_sharing_name(a, named[first].f, named[i].f->name[j],
						  strlen(named[i].f->name[j]));
			iota_sharing_join(named[first].f, named[i].f);
		}
	}
	free(named);
}

/* What was only known by its name belongs to the file of that name. */
static void join_by_name(struct iota *a)
{
	struct iota_sharing *s = a->sharing;
	size_t i, j;

	for (i = 0; i < s->n_files; i++) {
		struct iota_sharing_file *f = s->file[i], *other;

		for (j = 0; f->has_inode && j < f->n_names; j++) {
			other = iota_sharing_find(a, f->name[j]);
			if (other && !other->has_inode && !other->in)
				iota_sharing_join(f, other);
		}
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void iota_sharing_names_join(struct iota *a)
{
	struct iota_sharing *s = a->sharing;
	size_t i;

	join_names(a);
	join_by_name(a);
	for (i = 0; i < s->n_files; i++)
		if (s->file[i]->n_names)
			qsort(s->file[i]->name, s->file[i]->n_names, sizeof(s->file[i]->name[0]), by_name);
}
