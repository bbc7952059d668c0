/* SPDX-License-Identifier: BSD-3-Clause */
/* set-logs.c - the logs of a set, each of them once. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "set.h"
#include "starve.h"

int iotr_starved(struct iotr_set *set)
{
	set->failed = true;
	iotr_say_starved(set->fn, set->arg, "the logs");
	return -1;
}

bool iotr_set_failed(const struct iotr_set *set)
{
	return set->failed;
}

struct iotr_shared *iotr_set_shared(const struct iotr_set *set)
{
	return set->shared;
}

static uint64_t start_id(const struct iotr_log *log)
{
	return log->header.start.ticks ^ (uint64_t)log->header.pid << 40;
}

static unsigned form(const struct iotr_log *log)
{
	return log->job ? 2 + !!iotr_job_bytes(log->job)->packed : !!log->packed;
}

/* Are these what one process wrote: copies of it, or what became of it when it was packed,
   or taken into the log of the job?  Both forms are there if iotrace-pack was told to keep
   logs, or the process was killed, or went on when its job had ended. */
static bool same_log(const struct iotr_log *a, const struct iotr_log *b)
{
	const char *x = iotr_log_key(a, "boot_id", NULL), *y = iotr_log_key(b, "boot_id", NULL);

	return (form(a) != form(b) || a->header.text_sum == b->header.text_sum) &&
	       a->header.pid == b->header.pid &&
	       !memcmp(&a->header.start, &b->header.start, sizeof(a->header.start)) &&
	       !strcmp(x ? x : "", y ? y : "");
}

/* Is it the more complete one?  One of its own has what came after the job's was made, and
   what was copied while the process ran is shorter. */
static bool is_better(const struct iotr_log *new, const struct iotr_log *there)
{
	if (!new->job != !there->job)
		return !new->job;
	return new->header.end > there->header.end;
}

static void leave_out(struct iotr_set *set, struct iotr_log *there, struct iotr_log *new)
{
	struct iotr_log *better = is_better(new, there) ? new : there;
	struct iotr_log *other = better == new ? there : new;
	size_t i;

	iotr_say(other, IOTR_NOTE, "is left out: %s is the same log", better->file);
	for (i = 0; i < set->n_logs && better == new; i++) {
		if (set->log[i] != there)
			continue;
		set->log[i] = new;
		iotr_idmap_put(&set->by_start, start_id(new), new);
		iotr_boot_place(set, new);
	}
	iotr_log_close(other);
}

void iotr_set_take(struct iotr_set *set, struct iotr_log *log)
{
	uint64_t id = start_id(log);
	struct iotr_log *other = iotr_idmap_get(&set->by_start, id);

	if (other && same_log(other, log)) {
		leave_out(set, other, log);
		return;
	}
	set->log = iotr_grow(set->log, &set->cap_logs, set->n_logs + 1, sizeof(struct iotr_log *));
	set->log[set->n_logs++] = log;
	iotr_idmap_put(&set->by_start, id, log);
	iotr_boot_place(set, log);
}

size_t iotr_set_size(const struct iotr_set *set)
{
	return set->n_logs;
}

struct iotr_log *iotr_set_log(const struct iotr_set *set, size_t n)
{
	return n < set->n_logs ? set->log[n] : NULL;
}
