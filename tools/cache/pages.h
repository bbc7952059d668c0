/* SPDX-License-Identifier: BSD-3-Clause */
/* pages.h - what of a file is in the page cache, and how to change that. */
#ifndef CACHE_PAGES_H
#define CACHE_PAGES_H

#include <stdbool.h>
#include <stdint.h>

/* A regular file, for reading only and without a change of its access time where that may
   be; -1 with errno.  EINVAL: it is no regular file. */
int cache_open(const char *path, uint64_t *size);
/* These are about size bytes at that offset, which begin with a page and end with one, or
   with the file. */
/* How many of them are in the page cache; -1 with errno: the kernel does not say.
   No page comes in, or is marked as used, by the question. */
int64_t cache_resident(int fd, uint64_t offset, uint64_t size);
/* Writes what is dirty in the file, then has the kernel give up their pages.  0, or an error
   number. */
int cache_evict(int fd, uint64_t offset, uint64_t size);
/* Reads them.  0, or an error number.  alone: and nothing behind them. */
int cache_warm(int fd, uint64_t offset, uint64_t size, bool alone);

#endif
