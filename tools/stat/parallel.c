/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parallel.c - iotrace-stat -j: processes of ours read parts of the logs, whose sums are added up.
 *
 * Each part is a row of neighbouring logs, and parts are added up in the order of the logs.  So
 * rows come about in the order that one process makes them in, and all that depends on who was
 * first is the same.  This process reads the first part, and forks one for each other part: what
 * it has opened they have, and a log is complained about once.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file.h"

size_t iot_stat_jobs = 1;

struct part {
	size_t first, end; /* logs */
	pid_t pid;
	int sums, messages; /* files that have no name */
};

static void on_call(void *a, const struct iotr_call *call)
{
	iot_progress();
	iota_call(a, call, iot_filter_pass(call));
}

/* The part's logs are those of the set, which has opened them. */
static void scan(struct iota *a, const struct iotr_set *set, const struct part *p)
{
	struct iotr_set *logs = iot_set_new();
	size_t i;

	for (i = p->first; i < p->end; i++)
		iotr_set_add_log(logs, iotr_set_log(set, i));
	iot_progress_begin(logs, true);
	iotr_set_scan(logs, on_call, a);
	iot_progress_end();
}

/* Parts of about one size; returns how many there are, none of them empty. */
static size_t cut(const struct iotr_set *set, struct part *part, size_t n)
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

static int open_unnamed(void)
{
	int fd = memfd_create("iotrace-stat", MFD_CLOEXEC);

	if (fd < 0)
		iot_die("-j: no memory for sums: %s", strerror(errno));
	return fd;
}

/* In a process of its own. */
static void __attribute__((noreturn)) work(struct iota *a, const struct iotr_set *set, const struct part *p)
{
	struct out o = {.fd = p->sums};
	struct iota_bytes sums = {0};

	iot_progress_off = true;
	dup2(p->messages, STDERR_FILENO);
	scan(a, set, p);
	iota_end(a);
	iota_put(a, &sums);
	iot_out_bytes(&o, (const char *)&iot_filter_passed, sizeof(iot_filter_passed));
	iot_out_bytes(&o, sums.p, sums.len);
	iot_out_flush(&o);
	_exit(iot_exit_status);
}

static void begin(struct iota *a, const struct iotr_set *set, struct part *p)
{
	p->sums = open_unnamed();
	p->messages = open_unnamed();
	p->pid = fork();
	if (p->pid < 0)
		iot_die("-j: no process to read with: %s", strerror(errno));
	if (!p->pid)
		work(a, set, p);
}

/* What the file has, which is closed; NULL: nothing. */
static char *contents(int fd, size_t *size)
{
	off_t end = lseek(fd, 0, SEEK_END);
	char *p = NULL;

	*size = end > 0 ? (size_t)end : 0;
	if (*size)
		p = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		iot_die("-j: no memory for sums: %s", strerror(errno));
	close(fd);
	return p;
}

static void tell(int messages)
{
	struct out o = {.fd = STDERR_FILENO};
	size_t size;
	char *text = contents(messages, &size);

	if (!size)
		return;
	iot_out_bytes(&o, text, size);
	iot_out_try(&o);
	free(o.buf);
	munmap(text, size);
}

static void add(struct iota *a, const struct part *p)
{
	bool passed;
	size_t size;
	char *sums;
	int status;

	while (waitpid(p->pid, &status, 0) < 0)
		if (errno != EINTR)
			iot_die("-j: a process that read logs is lost: %s", strerror(errno));
	tell(p->messages);
	if (!WIFEXITED(status))
		iot_die("-j: a process that read logs was killed by signal %d", WTERMSIG(status));
	sums = contents(p->sums, &size);
	if (WEXITSTATUS(status) > iot_exit_status)
		iot_exit_status = WEXITSTATUS(status);
	if (size < sizeof(passed))
		exit(iot_trouble); /* it has said why */
	memcpy(&passed, sums, sizeof(passed));
	iot_filter_passed |= passed;
	if (!iota_take(a, sums + sizeof(passed), size - sizeof(passed)))
		iot_die("-j: a process that read logs did not say what is in them");
	munmap(sums, size);
}

void iot_stat_scan(struct iota *a, const struct iotr_set *set)
{
	size_t logs = iotr_set_size(set), n, i;
	struct part *part = calloc(logs, sizeof(*part));

	if (!part)
		iot_no_memory();
	/* --file reads the logs again, which have to know then what their calls are */
	n = cut(set, part, iot_stat_file_given() || !iot_stat_jobs ? 1 : iot_stat_jobs);
	for (i = 1; i < n; i++)
		begin(a, set, &part[i]);
	scan(a, set, &part[0]);
	iota_end(a);
	for (i = 1; i < n; i++)
		add(a, &part[i]);
	free(part);
}
