/* SPDX-License-Identifier: BSD-3-Clause */
/* bytes.c - the bytes of a log as it is unpacked: copied, and compared with another's. */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "pack.h"

#define PIECE (128u << 10) /* what is copied and compared at once */

bool iot_same_bytes(struct iotr_log *a, struct iotr_log *b)
{
	static char x[PIECE], y[PIECE];
	uint64_t off = 0, size = iotr_log_size(a);
	size_t n;

	if (iotr_log_size(b) != size)
		return false;
	for (; off < size; off += n) {
		uint64_t in_b = iotr_log_data(b, off);

		off = iotr_log_data(a, off);
		if (in_b < off)
			off = in_b;
		if (off >= size)
			break;
		n = iotr_log_read(a, x, sizeof(x), off);
		if (!n || iotr_log_read(b, y, n, off) != n || memcmp(x, y, n) != 0)
			return false;
	}
	/* it may have grown meanwhile */
	return iotr_log_read(a, x, 1, size) == 0;
}

static bool all_zero(const char *p, size_t n)
{
	return !p[0] && !memcmp(p, p + 1, n - 1);
}

static int write_at(int fd, const char *p, size_t n, uint64_t off, bool sparse)
{
	while (n) {
		ssize_t done = sparse ? pwrite(fd, p, n, (off_t)off) : write(fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -1;
		p += done;
		n -= (size_t)done;
		off += (uint64_t)done;
	}
	return 0;
}

int iot_write_bytes(struct iotr_log *log, int fd, bool sparse)
{
	static char buf[PIECE];
	uint64_t off, size = iotr_log_size(log);
	size_t n, page, at;

	for (off = 0; off < size; off += n) {
		if (sparse)
			off = iotr_log_data(log, off);
		if (off >= size)
			break;
		n = iotr_log_read(log, buf, sizeof(buf), off);
		if (!n) {
			errno = EIO;
			return -1;
		}
		for (at = 0; at < n; at += page) {
			page = sparse && n - at > IOT_ALIGN ? IOT_ALIGN : n - at;
			if (sparse && all_zero(buf + at, page))
				continue;
			if (write_at(fd, buf + at, page, off + at, sparse) < 0)
				return -1;
		}
	}
	return sparse ? ftruncate(fd, (off_t)size) : 0;
}
