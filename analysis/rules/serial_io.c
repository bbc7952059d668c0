/* SPDX-License-Identifier: BSD-3-Clause */
/* serial_io.c - one rank of several that reads or writes for all. */
#include "config.h"

#include "rules.h"

static unsigned direction_of(const struct iota_spot *spot)
{
	return spot->does == IOTA_DOES_WRITE;
}

static uint64_t moved(const struct iota_row *file, unsigned direction)
{
	return file->v[direction ? IOTA_F_WRITTEN : IOTA_F_READ];
}

/* Of what is read more may be needed by all. */
uint64_t iota_weigh_serial_io(const struct iota_rule *rule, const struct iota_spot *spot)
{
	unsigned direction = direction_of(spot);
	uint64_t least = direction ? rule->size : rule->size * rule->factor;

	if (!spot->is_syscall || (spot->does != IOTA_DOES_READ && spot->does != IOTA_DOES_WRITE))
		return 0;
	return spot->file->movers & 1u << direction || moved(spot->file, direction) < least ||
			       !iota_regular(spot->file)
		       ? 0
		       : spot->v[IOTA_S_CALLS];
}

/* How many ranks there are, if the process of that number is one. */
static uint64_t ranks_of(const struct iota *a, uint32_t process)
{
	const struct iota_table *t = iota_table(a, IOTA_BY_PROCESS);
	uint64_t highest = 0, its = 0;
	size_t i;

	for (i = 0; i < t->n; i++) {
		uint64_t rank = t->row[i]->v[IOTA_F_RANK];

		highest = rank > highest ? rank : highest;
		its = t->row[i]->number == process ? rank : its;
	}
	return its ? highest : 0;
}

/* What others moved in the same direction, in any file. */
static uint64_t moved_by_others(const struct iota *a, uint32_t process, unsigned direction)
{
	const struct iota_table *files = iota_table(a, IOTA_BY_FILE);
	uint64_t bytes = 0;
	size_t i;

	for (i = 0; i < files->n; i++) {
		const struct iota_row *file = files->row[i];

		if (iota_own_file(file) && iota_regular(file) &&
		    (file->mover[direction] != process || file->movers & 1u << direction))
			bytes += moved(file, direction);
	}
	return bytes;
}

void iota_rule_serial_io(struct iota *a, const struct iota_rule *rule,
			 const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	unsigned direction = direction_of(g->heaviest);
	uint32_t process = g->file->mover[direction];
	uint64_t ranks = ranks_of(a, process), bytes = moved(g->file, direction);
	struct iota_finding f;

	if (ranks < 2 || moved_by_others(a, process, direction) >= iota_share(bytes, rule->share))
		return;
	f = iota_about_group(rule, g);
	f.of = ranks;
	iota_saves_without(&f, f.calls - (f.calls + ranks - 1) / ranks);
	if (!f.saves[0] && f.calls < ranks) /* few calls, which would be split */
		f.saves[1] = f.time / ranks * (ranks - 1);
	iota_finding_add(a, f);
}
