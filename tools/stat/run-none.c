/* SPDX-License-Identifier: BSD-3-Clause */
/* run-none.c - run.c where there is no library that reads JSON. */
#include "config.h"

#include "diff.h"

void iot_diff_read(struct diff *d, size_t run, const char *json, size_t size)
{
	(void)d;
	(void)run;
	(void)json;
	(void)size;
	iot_die("--diff: this iotrace was built without json-c (Debian: libjson-c-dev)");
}
