/* SPDX-License-Identifier: BSD-3-Clause */
/* db-none.c - databases where there is no libsqlite3: they are logs that can't be read. */
#include "config.h"

#include "db.h"

const char *report_db_of(char **logs)
{
	(void)logs;
	if (iot_logs_run)
		iot_die("--run=%s: iotrace was built without SQLite; install it and build iotrace again", iot_logs_run);
	return NULL;
}

void report_db_before(struct report_before *b, const char *name, const char *run)
{
	(void)b;
	(void)name;
	(void)run;
}

bool report_db_make(struct report *r, const char *name)
{
	(void)r;
	(void)name;
	return false;
}

bool report_db_calls(struct out *o, struct calls_query *q, struct place *at, uint64_t limit)
{
	(void)o;
	(void)q;
	(void)at;
	(void)limit;
	return false;
}
