/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runs.c - how many runs of the program there are, and how many of them used a file.
 *
 * Logs of several runs may lie in one directory.  What each of them writes once is not written
 * over, nor read again.  Processes are of one run if the one began while the other lived, or
 * took its place by exec(3): a run is a stretch of time in which there always was a process.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "rules/rules.h"

static uint64_t end_of(const struct iota_row *process)
{
	return process->v[IOTA_F_BEGIN] + process->v[IOTA_F_ELAPSED];
}

static int by_begin(const void *a, const void *b)
{
	const struct iota_row *x = *(struct iota_row *const *)a, *y = *(struct iota_row *const *)b;

	if (x->v[IOTA_F_BEGIN] != y->v[IOTA_F_BEGIN])
		return x->v[IOTA_F_BEGIN] < y->v[IOTA_F_BEGIN] ? -1 : 1;
	return iota_row_by_key(x, y);
}

/* A process that executes another program has its pid, and is some time without a call. */
static bool continues(struct iota_row *const *run, size_t n, const struct iota_row *process)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (run[i]->v[IOTA_F_PID] == process->v[IOTA_F_PID] && run[i]->extra && process->extra &&
		    !strcmp(run[i]->extra, process->extra))
			return true;
	return false;
}

/* The run that each process is of, by the process's number; *runs: how many there are; *time: how
   long they took, added up. */
static uint32_t *find_runs(const struct iota_table *processes, uint32_t *runs, uint64_t *time)
{
	struct iota_row **row = iota_grow(NULL, processes->n + 1, sizeof(struct iota_row *));
	uint32_t *run = iota_grow(NULL, processes->n + 1, sizeof(*run));
	uint64_t end = 0;
	size_t i, first = 0;

	for (i = 0; i < processes->n; i++)
		row[i] = processes->row[i];
	memset(run, 0, (processes->n + 1) * sizeof(*run));
	qsort(row, processes->n, sizeof(struct iota_row *), by_begin);
	*runs = 0;
	*time = 0;
	for (i = 0; i < processes->n; i++) {
		if (!i || (row[i]->v[IOTA_F_BEGIN] > end && !continues(row + first, i - first, row[i]))) {
			first = i;
			end = row[i]->v[IOTA_F_BEGIN];
			++*runs;
		}
		if (end_of(row[i]) > end) {
			*time += end_of(row[i]) - end;
			end = end_of(row[i]);
		}
		run[row[i]->number] = *runs;
	}
	free(row);
	return run;
}

/* last: of each run, which file it was counted for last */
static uint32_t count(const struct iota_row *file, unsigned direction, const uint32_t *run, size_t *last, size_t mark)
{
	const struct iota_movers *more = file->rare->more[direction];
	uint32_t n = 1;
	size_t i;

	last[run[file->mover[direction]]] = mark;
	for (i = 0; more && i < more->n; i++) {
		size_t *at = &last[run[more->process[i]]];

		n += *at != mark;
		*at = mark;
	}
	return n;
}

void iota_runs_count(struct iota *a)
{
	struct iota_table *files = &a->table[IOTA_BY_FILE];
	uint32_t *run = find_runs(&a->table[IOTA_BY_PROCESS], &a->runs, &a->run_time);
	size_t *last = iota_grow(NULL, a->runs + 1, sizeof(*last)), i, mark = 0;
	unsigned direction;

	memset(last, 0, (a->runs + 1) * sizeof(*last));
	for (i = 0; i < files->n; i++)
		for (direction = 0; direction < 2; direction++)
			files->row[i]->runs[direction] = count(files->row[i], direction, run, last, ++mark);
	free(last);
	free(run);
}

uint64_t iota_different(const struct iota_row *file, unsigned direction)
{
	uint64_t once = iota_owned_bytes(file->seen[direction]);

	if (once > file->placed[direction]) /* it may be an estimate */
		once = file->placed[direction];
	return file->runs[direction] > 1 ? once * file->runs[direction] : once;
}

uint64_t iota_different_of(const struct iota_group *g, unsigned direction, uint64_t *all)
{
	uint64_t different = 0, placed = 0;
	size_t i;

	for (i = 0; i < g->n; i++) {
		const struct iota_row *file = g->spot[i]->file;

		if (!iota_is_first_of_file(g, i))
			continue;
		different += iota_different(file, direction);
		placed += file->placed[direction];
	}
	if (all)
		*all = placed;
	return different;
}
