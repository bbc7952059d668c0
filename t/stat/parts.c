/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts.c - sums up the log of a job in parts, as a tool that runs on many processors
 * would, and prints the whole as iotrace-stat --format=json does.
 *
 *	parts N JOB
 *
 * Part k of N, a process of its own, opens every N-th log from k on.
 */
#include "config.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../analysis/when.h"
#include "part.h"

const char *argp_program_version = "parts";
struct stat_options iot_stat_options = {.top = SIZE_MAX, .findings = true};

/* Parts of a job have the same intervals of time. */
static void begin_time(struct iota *a, const char *file)
{
	struct iotr_job *job = is_job(file) ? iotr_job_open(file, iot_on_message, NULL) : NULL;
	uint64_t begin = UINT64_MAX, end = 0;
	size_t i;

	for (i = 0; job && i < iotr_job_size(job); i++) {
		struct iotr_log *log = iotr_job_log(job, i);

		if (!log)
			continue;
		begin = iotr_log_start(log) < begin ? iotr_log_start(log) : begin;
		end = iotr_log_latest(log) > end ? iotr_log_latest(log) : end;
		iotr_log_close(log);
	}
	iotr_job_close(job);
	iot_stat_options.time = end;
	if (end)
		iota_when_begin(a, begin, end, 0);
}

static void sum_up(const char *file, size_t part, size_t n, int fd)
{
	struct iota *a = iota_new(ALL_TABLES);
	struct iota_bytes bytes = {0};
	struct out o = {.fd = fd};

	begin_time(a, file);
	sum_part(a, file, part, n);
	iota_put(a, &bytes);
	iot_out_bytes(&o, bytes.p, bytes.len);
	iot_out_flush(&o);
	_exit(iot_exit_status);
}

static void add_up(struct iota *a, int fd)
{
	char *buf = NULL;
	size_t size = 0;
	ssize_t n;

	do {
		buf = realloc(buf, size + 65536);
		if (!buf)
			iot_die("out of memory");
		n = read(fd, buf + size, 65536);
		size += n > 0 ? (size_t)n : 0;
	} while (n > 0);
	buf[8] ^= 1; /* of the version */
	if (iota_take(a, buf, size))
		iot_die("sums of another version are taken");
	buf[8] ^= 1;
	if (!iota_take(a, buf, size))
		iot_die("%zu bytes are no sums", size);
	free(buf);
}

int main(int argc, char **argv)
{
	size_t n = argc == 3 ? strtoul(argv[1], NULL, 10) : 0, i;
	int fd[2], *from, status;
	struct iota *a;

	if (!n)
		iot_die("usage: parts N JOB");
	a = iota_new(ALL_TABLES);
	begin_time(a, argv[2]);
	from = calloc(n, sizeof(*from));
	for (i = 0; from && i < n; i++) {
		if (pipe(fd) < 0)
			iot_die("no pipe");
		from[i] = fd[0];
		if (fork() == 0)
			sum_up(argv[2], i, n, fd[1]);
		close(fd[1]);
	}
	for (i = 0; from && i < n; i++) {
		add_up(a, from[i]);
		close(from[i]);
		if (wait(&status) < 0 || status)
			iot_die("a part failed");
	}
	free(from);
	print_all(a);
	return 0;
}
