/* SPDX-License-Identifier: BSD-3-Clause */
/* runs.c - runs that are compared, from logs and from saved JSON. */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diff.h"

/* What is in the file, if that is JSON; logs begin otherwise. */
static const char *map_json(const char *name, size_t *size)
{
	int fd = strcmp(name, "-") ? open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	const char *p = NULL;
	struct stat st;
	size_t i = 0;

	if (fd < 0)
		return NULL; /* for those to complain about who read logs */
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size) {
		*size = (size_t)st.st_size;
		p = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (p == MAP_FAILED)
			iot_die("%s: can't be mapped: %s", name, strerror(errno));
	}
	close(fd);
	while (p && i < *size && isspace((unsigned char)p[i]))
		i++;
	if (p && i < *size && p[i] == '{')
		return p;
	if (p)
		munmap((void *)p, *size);
	return NULL;
}

void iot_diff_add(struct diff *d, size_t run, struct iota *a, const struct iotr_set *set)
{
	size_t top = iot_stat_options.top;
	struct out json;

	iot_stat_options.top = SIZE_MAX;
	json = iot_stat_as_json(a, set);
	iot_stat_options.top = top;
	iot_diff_read(d, run, json.buf, json.len);
	free(json.buf);
}

static void read_logs(struct diff *d, size_t run)
{
	struct iotr_set *set = iot_set_new();
	char *logs[] = {(char *)d->run[run], NULL};
	struct iota *a = iot_stat_analyse(set, logs);
	if (!a)
		exit(iot_exit_status ? iot_exit_status : STATUS_TROUBLE);
	iot_diff_add(d, run, a, set);
	iota_free(a);
	iotr_set_free(set);
}

bool iot_diff_read_json(struct diff *d, size_t run)
{
	size_t size;
	const char *json = map_json(d->run[run], &size);

	if (!json)
		return false;
	if (iot_filter_given)
		iot_die("%s: calls can't be chosen in JSON, which has only sums; name the logs", d->run[run]);
	iot_diff_read(d, run, json, size);
	munmap((void *)json, size);
	return true;
}

/* true: it is logs, whose calls iot_filter_end is about. */
static bool read_run(struct diff *d, size_t run)
{
	if (iot_diff_read_json(d, run))
		return false;
	read_logs(d, run);
	return true;
}

void iot_diff_read_runs(struct diff *d, size_t n)
{
	bool logs = false;
	size_t i;

	for (i = 0; i < n; i++)
		logs |= read_run(d, i);
	if (logs)
		iot_filter_end();
}

void iot_diff_free(struct diff *d)
{
	size_t i;

	for (i = 0; i < d->n_items; i++)
		free(d->item[i].v);
	for (i = 0; i < d->n_rows; i++) {
		free(d->row[i].name);
		free(d->row[i].was);
	}
	free(d->item);
	free(d->row);
}
