/* SPDX-License-Identifier: BSD-3-Clause */
/* pack.h - what the parts of iotrace-pack know of each other. */
#ifndef PACK_H
#define PACK_H

#include <sys/stat.h>

#include "../common/tool.h"

/* ---- iotrace-pack.c ---- */
enum { TROUBLE_SKIPPED = 1, TROUBLE = 2 }; /* exit status */
/* One line on stderr about a file; sees to the exit status. */
void iot_complain(int status, const char *file, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* ---- pack-output.c: a file that is there when it is whole, or not at all ---- */

struct output {
	const char *name;
	char *temp; /* its name until then; NULL: it has none */
	int fd;
};
/* -1: said why not */
int iot_output_open(struct output *o, const char *name);
/* Gives it mode and times, puts it on the disk and gives it its name. */
int iot_output_finish(struct output *o, const struct stat *like);
/* After iot_output_finish this only closes it; else it leaves nothing behind. */
void iot_output_close(struct output *o);

#endif
