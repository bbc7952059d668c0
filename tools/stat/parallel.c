/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parallel.c - iotrace-stat -j: processes of ours read parts of the logs, whose sums are added up.
 *
 * This process reads the first part, and forks one for each other part: what it has opened they
 * have, and a log is complained about once.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file.h"
#include "part.h"

size_t iot_stat_jobs = 1;

struct worker {
	pid_t pid;
	int sums, messages; /* files that have no name */
};

/* In a process of its own. */
static void __attribute__((noreturn))
work(struct iota *a, const struct iotr_set *set, const struct part *p, const struct worker *w)
{
	struct out o = {.fd = w->sums};
	struct iota_bytes sums = {0};

	iot_progress_off = true;
	dup2(w->messages, STDERR_FILENO);
	iot_part_scan(a, set, p);
	iot_part_put(a, &sums);
	iot_out_bytes(&o, sums.p, sums.len);
	iot_out_flush(&o);
	_exit(iot_exit_status);
}

static void begin(struct iota *a, const struct iotr_set *set, const struct part *p, struct worker *w)
{
	w->sums = iot_part_file();
	w->messages = iot_part_file();
	w->pid = fork();
	if (w->pid < 0)
		iot_die("-j: no process to read with: %s", strerror(errno));
	if (!w->pid)
		work(a, set, p, w);
}

static void add(struct iota *a, const struct worker *w)
{
	size_t size, said;
	char *sums, *messages;
	int status;

	while (waitpid(w->pid, &status, 0) < 0)
		if (errno != EINTR)
			iot_die("-j: a process that read logs is lost: %s", strerror(errno));
	messages = iot_part_contents(w->messages, &said);
	iot_part_tell(messages, said);
	iot_part_free(messages, said);
	if (!WIFEXITED(status))
		iot_die("-j: a process that read logs was killed by signal %d", WTERMSIG(status));
	sums = iot_part_contents(w->sums, &size);
	if (!size)
		exit(iot_trouble); /* it has said why */
	if (!iot_part_take(a, sums, size))
		iot_die("-j: a process that read logs did not say what is in them");
	iot_part_free(sums, size);
	close(w->messages);
	close(w->sums);
}

void iot_stat_scan(struct iota *a, const struct iotr_set *set)
{
	size_t logs = iotr_set_size(set), n, i;
	struct part *part = calloc(logs, sizeof(*part));
	struct worker *worker = calloc(logs, sizeof(*worker));

	if (!part || !worker)
		iot_no_memory();
	/* --file reads the logs again, which have to know then what their calls are */
	n = iot_part_cut(set, part, iot_stat_file_given() || !iot_stat_jobs ? 1 : iot_stat_jobs);
	for (i = 1; i < n; i++)
		begin(a, set, &part[i], &worker[i]);
	iot_part_scan(a, set, &part[0]);
	for (i = 1; i < n; i++)
		add(a, &worker[i]);
	free(worker);
	free(part);
}
