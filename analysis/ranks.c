/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks.c - what rules about ranks of MPI ask. */
#include "config.h"

#include <sys/stat.h>

#include "rules/rules.h"

const struct iota_row *iota_process(const struct iota *a, uint32_t number)
{
	const struct iota_table *t = iota_table(a, IOTA_BY_PROCESS);
	size_t i;

	for (i = 0; i < t->n; i++)
		if (t->row[i]->number == number)
			return t->row[i];
	return NULL;
}

uint64_t iota_threads_of(const struct iota *a, uint32_t process)
{
	const struct iota_row *row = iota_process(a, process);

	return row ? row->v[IOTA_F_THREADS] : 0;
}

bool iota_is_rank(const struct iota *a, uint32_t process)
{
	const struct iota_row *row = iota_process(a, process);

	return row && row->v[IOTA_F_RANK];
}

bool iota_is_between_ranks(const struct iota *a, const struct iota_row *file)
{
	return S_ISSOCK(file->mode) && (iota_is_rank(a, file->mover[0]) || iota_is_rank(a, file->mover[1]));
}

uint64_t iota_ranks_beside(const struct iota *a, uint32_t process)
{
	const struct iota_table *t = iota_table(a, IOTA_BY_PROCESS);
	uint64_t highest = 0;
	size_t i;

	for (i = 0; i < t->n; i++)
		if (t->row[i]->v[IOTA_F_RANK] > highest)
			highest = t->row[i]->v[IOTA_F_RANK];
	return iota_is_rank(a, process) ? highest : 0;
}

/* What other processes, or other threads, moved in the same direction, in any file. */
static uint64_t moved_by_others(const struct iota *a, const struct iota_row *alone, unsigned direction, bool threads)
{
	uint32_t process = alone->mover[direction], several = (threads ? 5u : 1u) << direction;
	const struct iota_table *files = iota_table(a, IOTA_BY_FILE);
	uint64_t bytes = 0;
	size_t i;

	for (i = 0; i < files->n; i++) {
		const struct iota_row *file = files->row[i];

		if (iota_own_file(file) && iota_regular(file) &&
		    (file->mover[direction] != process || file->movers & several ||
		     (threads && file->mover_tid[direction] != alone->mover_tid[direction])))
			bytes += iota_moved(file, direction);
	}
	return bytes;
}

uint64_t iota_moved(const struct iota_row *file, unsigned direction)
{
	return iota_number(file, direction ? IOTA_F_WRITTEN : IOTA_F_READ);
}

bool iota_moves_alone(const struct iota *a, const struct iota_rule *rule, const struct iota_row *file,
		      unsigned direction)
{
	return iota_ranks_beside(a, file->mover[direction]) >= 2 &&
	       moved_by_others(a, file, direction, false) < iota_share(iota_moved(file, direction), rule->share);
}

uint64_t iota_team_of(const struct iota *a, const struct iota_rule *rule, const struct iota_row *file,
		      unsigned direction, uint64_t *user)
{
	const struct iota_row *process = iota_process(a, file->mover[direction]);
	const struct iota_team *team = process ? &process->team : NULL;

	if (!team || team->n < 2 || team->mixed || file->movers & 4u << direction ||
	    file->mover_tid[direction] == process->v[IOTA_F_PID] ||
	    2 * process->v[IOTA_F_LIVED] < (team->n + 2) * process->v[IOTA_F_ELAPSED] || /* with the first thread */
	    moved_by_others(a, file, direction, true) >= iota_share(iota_moved(file, direction), rule->share))
		return 0;
	*user = team->user;
	return team->n;
}

bool iota_is_for_others(const struct iota *a, const struct iota_row *file)
{
	const struct iota_spot *s;
	uint64_t written = 0, first = UINT64_MAX;

	for (s = file->spots; s; s = s->next_of_file) {
		if (!s->is_syscall)
			continue;
		if (s->does == IOTA_DOES_WRITE && iota_spot_v(s, IOTA_S_LAST) > written)
			written = iota_spot_v(s, IOTA_S_LAST);
		if (s->does == IOTA_DOES_READ && iota_spot_first(s) < first)
			first = iota_spot_first(s);
	}
	return first != UINT64_MAX && first >= written && iota_different(file, 0) >= iota_different(file, 1) &&
	       (file->movers & 1 || iota_handed_out(a) != IOTA_HANDED_IN_PARTS);
}

/* The sizes are those of the root, and of the others that have a part. */
enum iota_handed iota_handed_out(const struct iota *a)
{
	const struct iota_table *calls = iota_table(a, IOTA_BY_CALL);
	uint64_t in_parts = 0, to_all = 0;
	bool known = false;
	size_t i;

	for (i = 0; i < calls->n; i++) {
		const struct iota_row *row = calls->row[i];

		if (strcmp(row->extra, "mpi") != 0)
			continue;
		known = true;
		if (strstr(row->name, "Bcast") || strstr(row->name, "bcast"))
			to_all += row->v[IOTA_F_ASKED];
		else if (strstr(row->name, "catter") || strstr(row->name, "end"))
			in_parts += row->v[IOTA_F_ASKED];
	}
	if (!known)
		return IOTA_HANDED_UNSEEN;
	return in_parts > to_all ? IOTA_HANDED_IN_PARTS : IOTA_HANDED_TO_ALL;
}
