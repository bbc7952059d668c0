/* SPDX-License-Identifier: BSD-3-Clause */
/* named.h - the files that logs name, and what calls used of them. */
#ifndef CACHE_NAMED_H
#define CACHE_NAMED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache_part {
	uint64_t start, end; /* bytes, whole pages; end may lie behind the file's end */
};

/* What calls in the logs read, wrote or mapped of the file: parts, in order, none touches the
   next; n is 0: all of it.  They stay for the call of fn alone. */
typedef void cache_named_fn(const char *path, const struct cache_part *part, size_t n);

/* Reads the logs, a list with NULL behind the last, and calls fn for each regular file of which a
   call used anything, by name, and for the program.  whole: all of each is wanted. */
void cache_named_each(char **logs, bool whole, cache_named_fn *fn);

#endif
