/* SPDX-License-Identifier: BSD-3-Clause */
/* kept-names.c - names that no log defines, kept for those who read calls by the batch. */
#include "config.h"

#include <search.h>
#include <string.h>

#include "set.h"

static int by_name(const void *a, const void *b)
{
	const struct iotr_path *x = a, *y = b;

	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return memcmp(x->name, y->name, x->len);
}

/* A name that the log does not define stands in the call, which the next one overwrites: it
   is kept once. */
const struct iotr_path *iotr_kept_name(struct iotr_set *set, const char *name, size_t len)
{
	struct iotr_path wanted = {.name = name, .len = len, .size = IOTR_UNKNOWN_SIZE}, *new, **at;

	at = tfind(&wanted, &set->kept_names, by_name);
	if (at)
		return *at;
	new = iotr_arena_alloc(&set->shared->arena, sizeof(*new));
	*new = wanted;
	new->name = iotr_arena_copy(&set->shared->arena, name, len);
	if (!tsearch(new, &set->kept_names, by_name))
		iotr_no_memory();
	return new;
}

static void nothing(void *path)
{
	(void)path;
}

void iotr_kept_names_free(struct iotr_set *set)
{
	tdestroy(set->kept_names, nothing);
}
