/* SPDX-License-Identifier: BSD-3-Clause */
/* job.c - JSON's object "job": what the report for people begins with (head.c). */
#include "config.h"

#include "member.h"
#include "stat.h"

/* hundredths of a percent, as iota_columns has them */
static uint64_t hundredths(double share)
{
	return share > 0 ? (uint64_t)(share * 10000 + .5) : 0;
}

static void json_who(struct out *o, const struct iota *a, const struct iotr_set *set,
		     const struct iota_job *job)
{
	const struct iota_table *processes = iota_table(a, IOTA_BY_PROCESS);

	if (processes->n) {
		json_key(o, "prog");
		json_text(o, processes->row[0]->name, processes->row[0]->name_len);
		if (job->hosts == 1)
			json_string(o, "host", processes->row[0]->extra);
	}
	json_number(o, "programs", job->programs);
	json_number(o, "hosts", job->hosts);
	json_number(o, "ranks", job->ranks);
	json_number(o, "processes", job->processes);
	json_number(o, "threads", job->threads);
	json_number(o, "logs", iotr_set_size(set));
	json_number(o, "start", job->begin);
	json_number(o, "wall", job->wall);
	json_number(o, "runs", job->runs);
	json_number(o, "lived", job->lived);
}

/* Times, and what share they have in how long threads were there. */
static void json_spent(struct out *o, const uint64_t *total, uint64_t lived)
{
	static const struct {
		const char *time, *share;
		enum iota_field field;
	} parts[] = {
		{"io", "io_percent", IOTA_F_IO},
		{"moving", "moving_percent", IOTA_F_MOVING},
		{"metadata", "metadata_percent", IOTA_F_METADATA},
		{"syncing", "syncing_percent", IOTA_F_SYNCING},
		{"waiting", "waiting_percent", IOTA_F_WAITING},
		{"memory", "memory_percent", IOTA_F_MEMORY},
	};
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		uint64_t time = total[parts[i].field];

		json_number(o, parts[i].time, time);
		if (lived)
			json_number(o, parts[i].share, hundredths((double)time / (double)lived));
	}
}

static void json_rate(struct out *o, const char *key, uint64_t bytes, uint64_t wall)
{
	if (wall)
		json_number(o, key, (uint64_t)((double)bytes * 1e9 / (double)wall));
}

static void json_moved(struct out *o, const uint64_t *total, uint64_t wall)
{
	json_number(o, "read", total[IOTA_F_READ]);
	json_number(o, "written", total[IOTA_F_WRITTEN]);
	json_rate(o, "read_rate", total[IOTA_F_READ], wall);
	json_rate(o, "write_rate", total[IOTA_F_WRITTEN], wall);
	json_number(o, "lib_read", total[IOTA_F_LIB_READ]);
	json_number(o, "lib_written", total[IOTA_F_LIB_WRITTEN]);
	json_number(o, "inferred", total[IOTA_F_INFERRED]);
}

static void json_member(struct out *o, const char *key, enum iota_table_id members,
			const struct iota_share *s)
{
	const uint64_t *v = s->row->v;

	json_key(o, key);
	out_char(o, '{');
	if (members == IOTA_BY_RANK)
		json_number(o, "rank", v[IOTA_F_RANK] - 1);
	else
		json_number(o, "pid", v[IOTA_F_PID]);
	if (members == IOTA_BY_THREAD)
		json_number(o, "tid", v[IOTA_F_TID]);
	json_number(o, "io_percent", hundredths(s->io));
	out_char(o, '}');
}

void iot_stat_job(struct out *o, const struct iota *a, const struct iotr_set *set)
{
	struct iota_job job = iota_job(a);
	uint64_t total[IOTA_N_COMMON], system;

	iota_total(a, IOTA_BY_CALL, total);
	system = iot_stat_unaccounted(set, total, job.lived);
	json_key(o, "job");
	out_char(o, '{');
	json_who(o, a, set, &job);
	json_spent(o, total, job.lived);
	json_number(o, "undivided", iota_undivided(a));
	json_moved(o, total, job.wall);
	json_number(o, "calls", total[IOTA_F_CALLS]);
	json_number(o, "syscalls", total[IOTA_F_SYSCALLS]);
	json_number(o, "errors", total[IOTA_F_ERRORS]);
	json_number(o, "self", total[IOTA_F_SELF]);
	json_number(o, "lost", iot_stat_lost(set));
	if (system)
		json_number(o, "unaccounted", system);
	if (job.most.row && job.most.row != job.least.row) {
		json_member(o, "most", job.members, &job.most);
		json_member(o, "least", job.members, &job.least);
	}
	out_char(o, '}');
}
