/* SPDX-License-Identifier: BSD-3-Clause */
/* file.c - the bytes of a log's file, or of memory that stands for it, whatever they are. */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log-bytes.h"

size_t iotr_file_read(struct iotr_log *log, void *buf, size_t size, uint64_t off)
{
	size_t got = 0;
	int fd;

	if (log->mem) {
		if (off >= log->mem_size)
			return 0;
		got = log->mem_size - off < size ? log->mem_size - off : size;
		memcpy(buf, log->mem + off, got);
		return got;
	}
	fd = iotr_descriptor_get(log);
	while (fd >= 0 && got < size) {
		ssize_t n = pread(fd, (char *)buf + got, size - got, (off_t)(off + got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			iotr_say(log, IOTR_DAMAGE, "can't read at offset %llu: %s",
				 (unsigned long long)off, strerror(errno));
			break;
		}
		if (n == 0)
			break;
		got += (size_t)n;
	}
	iotr_descriptor_put(log);
	return got;
}

uint64_t iotr_file_size(struct iotr_log *log)
{
	uint64_t size = log->size;
	struct stat st;
	int fd;

	if (log->mem)
		return log->mem_size;
	fd = iotr_descriptor_get(log);
	if (fd >= 0 && fstat(fd, &st) == 0)
		size = (uint64_t)st.st_size;
	iotr_descriptor_put(log);
	return size;
}
