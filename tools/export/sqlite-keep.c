/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sqlite-keep.c - the logs themselves, as iotrace-pack makes them small, in pieces: the database stands for them then,
 * to every tool that reads logs.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "../common/unnamed.h"
#include "sqlite.h"

#define PIECE (1 << 20)
#define LEVEL 3 /* of zstd, as iotrace-pack has it */

static bool is_log(struct iotr_log *log)
{
	char magic[sizeof(IOT_MAGIC) - 1];

	return iotr_log_read(log, magic, sizeof(magic), 0) == sizeof(magic) &&
	       (!memcmp(magic, IOT_MAGIC, sizeof(magic)) || !memcmp(magic, IOT_JOB_MAGIC, sizeof(magic)));
}

static void add_pieces(const char *name, int fd)
{
	char *bytes = malloc(PIECE);
	int64_t piece = 0;
	uint64_t at = 0;
	ssize_t n;

	if (!bytes)
		iot_no_memory();
	while ((n = pread(fd, bytes, PIECE, (off_t)at)) > 0) {
		iot_db_add("INSERT INTO kept(run_id, name, piece, bytes) VALUES(?, ?, ?, ?)", "isib", iot_db.run, name, piece++,
			   bytes, (size_t)n);
		at += (uint64_t)n;
	}
	if (n < 0)
		iot_die("%s: can't be kept in the database: %s", name, strerror(errno));
	free(bytes);
}

static void keep(void *unused, const char *name, int fd)
{
	struct iotr_log *log = iotr_log_open_bytes(fd, name, NULL, NULL);
	int packed = log && is_log(log) ? iot_unnamed(iot_db.name) : -1;

	(void)unused;
	if (packed >= 0 && iotr_pack(log, packed, LEVEL) == 0)
		add_pieces(name, packed);
	else if (packed >= 0 && errno != ENOSYS)
		iot_complain(STATUS_LESS, name, "can't be kept in the database: %s", strerror(errno));
	if (packed >= 0)
		close(packed);
	iotr_log_close(log);
}

void iot_db_keep(void)
{
	if (!iot_filter_given && !iot_export_options.no_logs)
		iot_logs_again(keep, NULL);
}
