/* SPDX-License-Identifier: BSD-3-Clause */
/* sum.c - calls that are counted and have no records: those by which MPI looks for news. */
#include "config.h"

#include "clock.h"
#include "read.h"

/* As it is in a block; the same id again is a later state of it. */
struct iot_sum_def {
	uint64_t call, count, failed, ticks, first;
	struct iot_sum_def *next;
};

bool iot_sum_define(struct iot_log *log, const uint64_t *p, size_t n)
{
	struct iot_sum_def *d;

	if (n < 7 || !p[0] || !p[1] || p[1] >= IOT_MAX_CALL)
		return false;
	d = iot_idmap_get(&log->sum, p[0]);
	if (!d) {
		d = iot_arena_alloc(&log->arena, sizeof(*d));
		d->next = log->sums;
		log->sums = d;
		iot_idmap_put(&log->sum, p[0], d);
	}
	d->call = p[1];
	d->count = p[2];
	d->failed = p[3];
	d->ticks = p[4];
	d->first = p[5];
	return true;
}

/* schema NULL: of any. */
static void add(struct iot_sum *sum, struct iot_log *log, const struct iot_schema *schema)
{
	for (const struct iot_sum_def *d = log->sums; d; d = d->next) {
		if (schema && iot_schema_get(log, (unsigned)d->call) != schema)
			continue;
		sum->count += d->count;
		sum->failed += d->failed;
		sum->time += iot_clock_span(log, d->first, d->ticks);
	}
}

struct iot_sum iot_log_sum(struct iot_log *log, const struct iot_schema *schema)
{
	struct iot_sum sum = {0};

	add(&sum, log, schema);
	return sum;
}

struct iot_sum iot_set_sum(const struct iot_set *set)
{
	struct iot_sum sum = {0};

	for (size_t i = 0; i < iot_set_size(set); i++)
		add(&sum, iot_set_log(set, i), NULL);
	return sum;
}
