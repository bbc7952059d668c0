/* SPDX-License-Identifier: BSD-3-Clause */
/* pack.h - what the parts of iotrace-pack know of each other. */
#ifndef PACK_H
#define PACK_H

#include <sys/stat.h>

#include "../common/tool.h"

struct pack_options {
	bool keep, unpack, list, force, to_stdout;
	const char *output;
	int level;
	struct iotr_mapped *mapped; /* NULL: one log has to be packed */
};
extern struct pack_options iot_options; /* one-log.c */

/* one_of_many: in a directory, those that need nothing done need no word either. */
void iot_process(const char *file, bool one_of_many);

/* bytes.c */

/* Do both logs have the same bytes? */
bool iot_same_bytes(struct iotr_log *a, struct iotr_log *b);
/* The log's own bytes, with holes for zeroes where that can be.  -1: see errno. */
int iot_write_bytes(struct iotr_log *log, int fd, bool sparse);

/* output.c: files that are there when they are whole, or not at all */

struct output {
	char *name;
	char *temp; /* its name until then; NULL: it has none */
	char *replaces; /* what is removed then; NULL: nothing is */
	int fd;
};
/* -1: said why not */
int iot_output_open(struct output *o, const char *name);
/* Gives it mode and times.  It has its name, and replaces is removed, after
   iot_outputs_settle; *o is empty then.  -1: said why not. */
int iot_output_finish(struct output *o, const struct stat *like, const char *replaces);
/* Puts on the disk, under their names, all that were finished. */
void iot_outputs_settle(void);
/* Leaves nothing behind of one that was not finished. */
void iot_output_close(struct output *o);

#endif
