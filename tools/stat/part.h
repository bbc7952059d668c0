/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * part.h - the logs in parts, each for a process of its own, whose sums are added up.
 *
 * Each part is a row of neighbouring logs, and parts are added up in the order of the logs.  So
 * rows come about in the order that one process makes them in, and all that depends on who was
 * first is the same.
 */
#ifndef STAT_PART_H
#define STAT_PART_H

#include "stat.h"

struct part {
	size_t first, end; /* logs */
};

/* Parts of about one size, n or fewer, none of them empty; returns how many there are. */
size_t iot_part_cut(const struct iotr_set *set, struct part *part, size_t n);
/* All calls of the part's logs, which the set has opened; the analysis has ended then. */
void iot_part_scan(struct iota *a, const struct iotr_set *set, const struct part *p);

/* The analysis as bytes, with what else the process has found out: whether calls passed the
   filter, and its exit status.  Taking them is done by another process, with the same options;
   false: they are not complete. */
void iot_part_put(const struct iota *a, struct iota_bytes *to);
bool iot_part_take(struct iota *a, const char *bytes, size_t size);

/* A file without a name, for messages and sums; and what it has, size bytes: NULL, if none. */
int iot_part_file(void);
char *iot_part_contents(int fd, size_t *size);
void iot_part_free(char *contents, size_t size);
/* Messages of another process go to standard error. */
void iot_part_tell(const char *messages, size_t size);

#endif
