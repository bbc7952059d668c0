/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page-cache.h - what the kernel fetched of a file, when its reads say so (IOTRACE_CACHE), and
 * what became of that: page-cache.c.
 */
#ifndef IOTA_PAGE_CACHE_H
#define IOTA_PAGE_CACHE_H

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

struct iotr_call;

#define IOTA_MOST_FETCHED 10000 /* that are listed */

/* Bytes that are in several pieces: without overlap, by offset. */
struct iota_pieces_of {
	struct iota_piece_of {
		uint64_t start, end;
	} *piece;
	size_t n, cap;
};

/* All zeroes at first. */
struct iota_page_cache {
	uint64_t reads;	   /* that said what was cached */
	uint64_t asked;	   /* bytes that they read, */
	uint64_t cached;   /* of these, that were in the page cache */
	uint64_t fetched;  /* bytes that the kernel read from devices */
	uint64_t dirtied;  /* bytes that became dirty */
	uint64_t again;	   /* bytes that were missing, and had been there before: evicted */
	uint64_t unused;   /* bytes that were fetched, and that nobody read; by iota_page_cache_end */
	uint64_t looked;   /* when it was said what was there: what came without a fault came before the recorder began */
	bool mapped;	   /* what mappings brought was told: IOTA_F_FOUND to IOTA_F_UNUSED of the file */
	struct iota_fetched {
		uint64_t start, size, time; /* in the order in which they were fetched; time: ns */
	} *range, *major; /* and pages that were read for a fault */
	size_t n_ranges, n_majors;
	uint64_t n_fetched;		     /* of these, the first IOTA_MOST_FETCHED are listed */
	struct iota_pieces_of read, there; /* whole pages that were read, and fetched */
};

/* Each call on the file, by start. */
void iota_page_cache_add(struct iota_page_cache *c, const struct iotr_call *call);
void iota_page_cache_end(struct iota_page_cache *c);
void iota_page_cache_free(struct iota_page_cache *c);

#endif
