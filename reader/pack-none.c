/* SPDX-License-Identifier: BSD-3-Clause */
/* pack-none.c - packed logs, where there is no zstd: they can only be recognised. */
#include "config.h"

#include <errno.h>

#include "packed.h"

int iotr_unpack_open(struct iotr_log *log)
{
	iotr_say(log, IOTR_UNREADABLE,
		 "is packed, and this iotrace was built without zstd; install zstd's development "
		 "files and build it again, or unpack the log elsewhere (iotrace-pack -d)");
	return -1;
}

void iotr_unpack_close(struct iotr_log *log)
{
	(void)log;
}

size_t iotr_unpack_read(struct iotr_log *log, void *buf, size_t size, uint64_t off)
{
	(void)log, (void)buf, (void)size, (void)off;
	return 0;
}

const struct iotr_block_files *iotr_unpack_files(struct iotr_log *log, uint64_t off)
{
	(void)log;
	(void)off;
	return NULL;
}

struct iotr_call_bits *iotr_unpack_in_block(struct iotr_log *log, uint64_t off,
					    struct iotr_in_block *in)
{
	(void)log, (void)off, (void)in;
	return NULL;
}

uint64_t iotr_unpack_data(const struct iotr_log *log, uint64_t off)
{
	(void)off;
	return log->size;
}

uint64_t iotr_log_packed_calls(const struct iotr_log *log)
{
	(void)log;
	return 0;
}

int iotr_pack(struct iotr_log *log, int fd, int level)
{
	(void)log, (void)fd, (void)level;
	errno = ENOSYS;
	return -1;
}
