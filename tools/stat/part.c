/* SPDX-License-Identifier: BSD-3-Clause */
/* part.c - parts of the logs, and their sums as bytes: for processes (parallel.c) and ranks (ranks.c). */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "part.h"

static void on_call(void *a, const struct iotr_call *call)
{
	iot_progress();
	iota_call(a, call, iot_filter_pass(call));
}

void iot_part_scan(struct iota *a, const struct iotr_set *set, const struct part *p)
{
	struct iotr_set *logs = iot_set_new();
	size_t i;

	for (i = p->first; i < p->end; i++)
		iotr_set_add_log(logs, iotr_set_log(set, i));
	iot_progress_begin(logs, true);
	iotr_set_scan(logs, on_call, a);
	iot_progress_end();
	iota_end(a);
}

size_t iot_part_cut(const struct iotr_set *set, struct part *part, size_t n)
{
	uint64_t total = 0, done = 0;
	size_t i, parts = 0, logs = iotr_set_size(set);

	for (i = 0; i < logs; i++)
		total += iotr_log_size(iotr_set_log(set, i));
	for (i = 0; i < logs; i++) {
		if (!parts || (parts < n && done >= total / n * parts))
			part[parts++].first = i;
		part[parts - 1].end = i + 1;
		done += iotr_log_size(iotr_set_log(set, i));
	}
	return parts;
}

struct found {
	uint64_t passed, status;
};

void iot_part_put(const struct iota *a, struct iota_bytes *to)
{
	struct found found = {iot_filter_passed, (uint64_t)iot_exit_status};

	iota_bytes_add(to, &found, sizeof(found));
	iota_put(a, to);
}

bool iot_part_take(struct iota *a, const char *bytes, size_t size)
{
	struct found found;

	if (size < sizeof(found))
		return false;
	memcpy(&found, bytes, sizeof(found));
	iot_filter_passed |= found.passed != 0;
	if ((int)found.status > iot_exit_status)
		iot_exit_status = (int)found.status;
	return iota_take(a, bytes + sizeof(found), size - sizeof(found));
}

static void __attribute__((noreturn)) no_memory(void)
{
	iot_die("no memory for sums: %s", strerror(errno));
}

int iot_part_file(void)
{
	int fd = memfd_create("iotrace-stat", MFD_CLOEXEC);

	if (fd < 0)
		no_memory();
	return fd;
}

char *iot_part_contents(int fd, size_t *size)
{
	off_t end = lseek(fd, 0, SEEK_END);
	char *p = NULL;

	*size = end > 0 ? (size_t)end : 0;
	if (*size)
		p = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		no_memory();
	return p;
}

void iot_part_free(char *contents, size_t size)
{
	if (contents)
		munmap(contents, size);
}

void iot_part_tell(const char *messages, size_t size)
{
	struct out o = {.fd = STDERR_FILENO};

	if (!size)
		return;
	iot_out_bytes(&o, messages, size);
	iot_out_try(&o);
	free(o.buf);
}
