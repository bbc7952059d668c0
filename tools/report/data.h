/* SPDX-License-Identifier: BSD-3-Clause */
/* data.h - what the files that write a page's data know of each other: data.c, which says what
   the data are, data-ranks.c, data-write.c, source.c. */
#ifndef REPORT_DATA_H
#define REPORT_DATA_H

#include "page.h"

/* data-write.c */
/* ns since the picture begins. */
void data_time(struct out *o, const struct iota_picture *p, uint64_t ns);
/* "key":[ */
void data_begin_list(struct out *o, const char *key);
/* Numbers of a list, of which *any says whether it has some already. */
void data_numbers(struct out *o, bool *any, const int64_t *number, size_t n);

/* Names that a list gives by their places among these. */
struct data_names {
	const char **name;
	size_t n;
};
/* The place of a name, which comes last if it was not there. */
size_t data_place_of(struct data_names *names, const char *name);
/* "key":[names] */
void data_names(struct out *o, const char *key, const char *const *name, size_t n);

/* data-ranks.c: mpi, meetings, operations and arcs. */
void data_ranks(struct out *o, const struct iota_picture *p);

/* source.c: lines of the program's source that the nodes are at, if it is there. */
void data_sources(struct out *o, const struct iota_picture *p);

#endif
