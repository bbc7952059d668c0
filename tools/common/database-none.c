/* SPDX-License-Identifier: BSD-3-Clause */
/* database-none.c - databases where there is no SQLite: they are logs that can't be read. */
#include "config.h"

#include "database.h"
#include "tool.h"

bool iot_database_is(const char *name)
{
	(void)name;
	return false;
}

bool iot_database_keeps(const char *name, const char *run)
{
	(void)name;
	(void)run;
	return false;
}

char *iot_database_run_name(const char *name, const char *run)
{
	(void)name;
	(void)run;
	return NULL;
}

bool iot_database_logs(const char *name, const char *run, void fn(void *arg, const char *log, int fd), void *arg)
{
	(void)run;
	(void)fn;
	(void)arg;
	iot_die("%s: iotrace was built without SQLite; install it and build iotrace again", name);
}

bool iot_database_has(const char *name, const char *run)
{
	(void)name;
	(void)run;
	return false;
}
