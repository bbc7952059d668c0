/* SPDX-License-Identifier: BSD-3-Clause */
/* diff.c - --diff: runs are read, compared, and printed. */
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

static void read_logs(struct diff *d, size_t run, char *name)
{
	struct iotr_set *set = iot_set_new();
	char *logs[] = {name, NULL};
	struct iota *a = iot_stat_analyse(set, logs);
	size_t top = iot_stat_options.top;
	struct out json;

	if (!a)
		exit(iot_exit_status ? iot_exit_status : STATUS_TROUBLE);
	iot_stat_options.top = SIZE_MAX;
	json = iot_stat_as_json(a, set);
	iot_stat_options.top = top;
	iota_free(a);
	iotr_set_free(set);
	iot_diff_read(d, run, json.buf, json.len);
	free(json.buf);
}

static void read_runs(struct diff *d, char **name)
{
	bool logs = false;
	const char *json;
	size_t i, size;

	for (i = 0; i < d->n_runs; i++) {
		json = map_json(name[i], &size);
		if (!json) {
			read_logs(d, i, name[i]);
			logs = true;
			continue;
		}
		if (iot_filter_given)
			iot_die("%s: calls can't be chosen in JSON, which has only sums; name the logs",
				name[i]);
		iot_diff_read(d, i, json, size);
		munmap((void *)json, size);
	}
	if (logs)
		iot_filter_end();
}

/* Those that --by names; without it, all. */
static void choose_tables(struct diff *d)
{
	bool chosen[DIFF_N_TABLES] = {[DIFF_JOB] = true}, any = false;
	unsigned by, t;

	for (by = 0; by < IOTA_N_TABLES; by++)
		for (t = 0; t < DIFF_N_TABLES; t++)
			if (iot_stat_options.shown[by] && !strcmp(iota_shapes[by].plural, iot_diff_tables[t]))
				any = chosen[t] = true;
	for (t = 0; t < DIFF_N_TABLES; t++)
		d->has[t] = !any || iot_stat_options.everything || chosen[t];
}

static void free_diff(struct diff *d)
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

void iot_stat_diff(char **name, size_t n_before, enum stat_format format, enum iota_field sort_by)
{
	struct diff d = {.run = (const char **)name};

	while (name[d.n_runs])
		d.n_runs++;
	d.n[DIFF_BEFORE] = n_before;
	d.n[DIFF_AFTER] = d.n_runs - n_before;
	choose_tables(&d);
	iot_stat_options.everything = true;
	read_runs(&d, name);
	iot_diff_match(&d);
	iot_diff_compare(&d, sort_by);
	if (format == STAT_JSON)
		iot_diff_json(&iot_stdout, &d);
	else if (format == STAT_CSV)
		iot_diff_csv(&iot_stdout, &d);
	else
		iot_diff_text(&iot_stdout, &d);
	iot_out_flush(&iot_stdout);
	if (iot_diff_fails(&d) && iot_exit_status < STATUS_LESS)
		iot_exit_status = STATUS_LESS;
	free_diff(&d);
}
