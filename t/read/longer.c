/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * longer.c FILE - opens the file as bytes, then makes it longer by a hole, and asks where the
 * next bytes are from places behind its former end on.  Prints the answers that lie before
 * the place: who goes on from there goes in circles.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "iotrace/read.h"

int main(int argc, char **argv)
{
	int fd = argc == 2 ? open(argv[1], O_RDWR) : -1;
	struct iotr_log *log = fd < 0 ? NULL : iotr_log_open_bytes(fd, argv[1], NULL, NULL);
	uint64_t size, off;

	if (!log)
		return 2;
	size = iotr_log_size(log);
	if (ftruncate(fd, (off_t)size + 1000000))
		return 2;
	for (off = size; off < size + 1000000; off += 4096) {
		uint64_t next = iotr_log_data(log, off);

		if (next < off)
			printf("%llu for %llu\n", (unsigned long long)next, (unsigned long long)off);
	}
	iotr_log_close(log);
	return 0;
}
