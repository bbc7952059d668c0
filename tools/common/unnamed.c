/* SPDX-License-Identifier: BSD-3-Clause */
/* unnamed.c - files without a name, for bytes that have to be a file while a tool runs. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "unnamed.h"

int iot_unnamed(const char *what)
{
	const char *dir = getenv("TMPDIR");
	char *name;
	int fd;

	if (asprintf(&name, "%s/iotrace-XXXXXX", dir && *dir ? dir : "/tmp") < 0)
		iot_die("out of memory");
	fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0)
		iot_die("%s: can't be created to hold %s: %s; set TMPDIR to another directory", name, what, strerror(errno));
	unlink(name);
	free(name);
	return fd;
}
