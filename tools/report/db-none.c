/* SPDX-License-Identifier: BSD-3-Clause */
/* db-none.c - databases where there is no libsqlite3: they are logs that can't be read. */
#include "config.h"

#include "db.h"

bool report_is_db(char **logs)
{
	(void)logs;
	return false;
}

void report_db_run(const char *run)
{
	iot_die("--run=%s: iotrace was built without SQLite; install it and build iotrace again", run);
}

bool report_db_make(struct report *r, const char *name)
{
	(void)r;
	(void)name;
	return false;
}

int report_db_calls(struct calls_query *q, const int *out)
{
	(void)q;
	(void)out;
	return STATUS_TROUBLE;
}
