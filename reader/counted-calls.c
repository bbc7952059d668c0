/* SPDX-License-Identifier: BSD-3-Clause */
/* counted-calls.c - calls that are counted and have no records: those by which MPI looks for news. */
#include "config.h"

#include "clock.h"
#include "define.h"
#include "schema.h"
#include "starve.h"

/* As it is in a block; the same id again is a later state of it. */
struct iotr_sum_def {
	uint64_t call, count, failed, ticks, first;
	struct iotr_sum_def *next;
};

bool iotr_sum_define(struct iotr_log *log, const uint64_t *p, size_t n)
{
	struct iotr_sum_def *d;

	if (n < 7 || !p[0] || !p[1] || p[1] >= IOTR_MAX_CALL)
		return false;
	d = iotr_idmap_get(&log->sum, p[0]);
	if (!d) {
		d = iotr_arena_alloc(&log->arena, sizeof(*d));
		d->next = log->sums;
		log->sums = d;
		iotr_idmap_put(&log->sum, p[0], d);
	}
	d->call = p[1];
	d->count = p[2];
	d->failed = p[3];
	d->ticks = p[4];
	d->first = p[5];
	return true;
}

void iotr_sum_add(struct iotr_sum *sum, struct iotr_log *log, const struct iotr_schema *schema)
{
	for (const struct iotr_sum_def *d = log->sums; d; d = d->next) {
		if (schema && iotr_schema_get(log, (unsigned)d->call) != schema)
			continue;
		sum->count += d->count;
		sum->failed += d->failed;
		sum->time += iotr_clock_span(&log->clock, d->first, d->ticks);
	}
}

static struct iotr_sum log_sum(struct iotr_log *log, const struct iotr_schema *schema)
{
	struct iotr_sum sum = {0};

	iotr_sum_add(&sum, log, schema);
	return sum;
}

struct iotr_sum iotr_log_sum(struct iotr_log *log, const struct iotr_schema *schema)
{
	struct iotr_sum got;
	struct iotr_guard guard;

	if (!IOTR_TRY(&guard)) {
		iotr_starved_log(log);
		return (struct iotr_sum){0};
	}
	got = log_sum(log, schema);
	iotr_guard_end(&guard);
	return got;
}
