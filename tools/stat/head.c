/* SPDX-License-Identifier: BSD-3-Clause */
/* head.c - what the report for people begins with: who, how long, and on what. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "stat.h"

uint64_t iot_stat_lost(const struct iotr_set *set)
{
	uint64_t lost = 0;
	size_t i;

	for (i = 0; i < iotr_set_size(set); i++)
		lost += iotr_log_lost(iotr_set_log(set, i)).calls;
	return lost;
}

/* ---- numbers ---- */

void iot_stat_human(char cell[CELL], uint64_t bytes)
{
	static const char units[] = " KMGTPE";
	double d = (double)bytes;
	unsigned i = 0;

	while (d >= 1023.95 && i < 6) {
		d /= 1024;
		i++;
	}
	if (!i)
		snprintf(cell, CELL, "%llu", (unsigned long long)bytes);
	else
		snprintf(cell, CELL, d < 9.95 ? "%.1f%c" : "%.0f%c", d, units[i]);
}

void iot_stat_words_bytes(struct iota_bytes *to, uint64_t bytes)
{
	char cell[CELL];

	if (!iot_stat_options.human || bytes < 1024) {
		iota_words_bytes(to, bytes);
		return;
	}
	iot_stat_human(cell, bytes);
	iota_bytes_text(to, cell);
	iota_bytes_text(to, "B");
}

static void out_seconds(struct out *o, uint64_t ns)
{
	char cell[CELL];

	snprintf(cell, sizeof(cell), "%.6f s", (double)ns / 1e9);
	out_str(o, cell);
}

void iot_stat_out_bytes(struct out *o, const char *before, uint64_t bytes)
{
	struct iota_bytes words = {0};

	out_str(o, before);
	iot_stat_words_bytes(&words, bytes);
	iot_out_bytes(o, words.p, words.len);
	free(words.p);
}

static void out_date(struct out *o, uint64_t ns)
{
	time_t t = (time_t)(ns / 1000000000);
	char text[40];
	struct tm tm;

	if (localtime_r(&t, &tm) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm))
		out_str(o, text);
}

void iot_stat_out_count(struct out *o, uint64_t n, const char *one, const char *many)
{
	iot_out_unsigned(o, n);
	out_char(o, ' ');
	out_str(o, n == 1 ? one : many);
}

static void out_percent(struct out *o, double share)
{
	double percent = share * 100;
	char cell[CELL];

	if (percent > 0 && percent < 0.01) {
		out_lit(o, "<0.01");
		return;
	}
	snprintf(cell, sizeof(cell), percent > 0 && percent < 1 ? "%.1g" : "%.0f", percent);
	out_str(o, cell);
}

/* ---- who ---- */

/* Names the program that spent most time in calls. */
static void out_programs(struct out *o, const struct iota_table *processes, size_t programs)
{
	if (!processes->n)
		return;
	iot_out_c(o, processes->row[0]->name, processes->row[0]->name_len);
	if (programs > 1)
		out_lit(o, " and others");
	out_lit(o, ", ");
}

static void out_who(struct out *o, const struct iota *a, const struct iotr_set *set,
		    const struct iota_job *job)
{
	const struct iota_table *processes = iota_table(a, IOTA_BY_PROCESS);
	const struct iota_row *row = processes->n ? processes->row[0] : NULL;

	out_programs(o, processes, job->programs);
	if (job->ranks > 1)
		iot_stat_out_count(o, job->ranks, "rank", "ranks");
	if (processes->n == 1) {
		out_lit(o, "process ");
		iot_out_unsigned(o, row->v[IOTA_F_PID]);
	} else if (job->ranks < 2 || job->ranks != processes->n) { /* a process each needs no word */
		out_str(o, job->ranks > 1 ? ", " : "");
		iot_stat_out_count(o, processes->n, "process", "processes");
	}
	if (job->threads > processes->n) {
		out_lit(o, ", ");
		iot_stat_out_count(o, job->threads, "thread", "threads");
	}
	if (job->hosts == 1) {
		out_lit(o, " on ");
		iot_out_c(o, row->extra, strlen(row->extra));
	} else if (job->hosts) {
		out_lit(o, " on ");
		iot_stat_out_count(o, job->hosts, "host", "hosts");
	}
	if (iotr_set_size(set) != 1) {
		out_lit(o, ", ");
		iot_stat_out_count(o, iotr_set_size(set), "log", "logs");
	}
	if (processes->n) {
		out_lit(o, ", ");
		out_date(o, job->begin);
		out_lit(o, ", ");
		out_seconds(o, job->wall);
		if (job->runs > 1) {
			out_lit(o, " in ");
			iot_stat_out_count(o, job->runs, "run", "runs");
		}
	}
	out_char(o, '\n');
}

/* ---- on what the time was spent ---- */

static void out_part(struct out *o, const char *before, const char *name, uint64_t time,
		     uint64_t lived)
{
	if (!time)
		return;
	out_str(o, before);
	out_str(o, name);
	out_char(o, ' ');
	out_percent(o, (double)time / (double)lived);
}

static void out_spent(struct out *o, const uint64_t *total, const struct iota_job *job)
{
	uint64_t lived = job->lived;

	if (!lived)
		return;
	out_lit(o, "I/O ");
	out_percent(o, (double)total[IOTA_F_IO] / (double)lived);
	out_str(o, job->threads > job->processes ? " % of the threads' time" : " % of the time");
	out_part(o, ": ", "data", total[IOTA_F_MOVING], lived);
	out_part(o, total[IOTA_F_MOVING] ? ", " : ": ", "metadata", total[IOTA_F_METADATA], lived);
	out_part(o, total[IOTA_F_MOVING] + total[IOTA_F_METADATA] ? ", " : ": ", "sync",
		 total[IOTA_F_SYNCING], lived);
	out_part(o, "; ", "waiting for others", total[IOTA_F_WAITING], lived);
	out_part(o, "; ", "memory", total[IOTA_F_MEMORY], lived);
	out_char(o, '\n');
}

/* In collective calls of MPI-IO, ranks also wait for each other.  Where nothing tells how long, the time of I/O has
   that, too. */
static void out_undivided(struct out *o, uint64_t time, const struct iota_job *job)
{
	if (!time || !job->lived)
		return;
	out_percent(o, (double)time / (double)job->lived);
	out_lit(o, " of this in collective calls of MPI-IO, with waiting for others: no system calls tell it apart\n");
}

static void out_member(struct out *o, enum iota_table_id id, const struct iota_share *s)
{
	const uint64_t *v = s->row->v;

	out_str(o, iota_shapes[id].by);
	out_char(o, ' ');
	iot_out_unsigned(o, id == IOTA_BY_RANK	? v[IOTA_F_RANK] - 1
			    : id == IOTA_BY_THREAD ? v[IOTA_F_TID]
						   : v[IOTA_F_PID]);
}

static void out_spread(struct out *o, const struct iota_job *job)
{
	if (!job->most.row || job->most.row == job->least.row)
		return;
	out_lit(o, "most in I/O: ");
	out_member(o, job->members, &job->most);
	out_lit(o, ", ");
	out_percent(o, job->most.io);
	out_lit(o, " % of its time; least: ");
	out_member(o, job->members, &job->least);
	out_lit(o, ", ");
	out_percent(o, job->least.io);
	out_lit(o, " %\n");
}

/* ---- calls and bytes ---- */

static void out_also(struct out *o, uint64_t n, const char *what)
{
	if (!n)
		return;
	out_lit(o, ", ");
	iot_out_unsigned(o, n);
	out_char(o, ' ');
	out_str(o, what);
}

/* wall: ns; 0: no rates */
static void out_moved(struct out *o, const char *does, uint64_t bytes, uint64_t wall)
{
	char rate[CELL];

	iot_stat_out_bytes(o, does, bytes);
	if (bytes < 1000000 || !wall)
		return;
	iot_stat_human(rate, (uint64_t)((double)bytes * 1e9 / (double)wall));
	out_lit(o, " (");
	out_str(o, rate);
	out_lit(o, "B/s)");
}

/* Calls that were counted and have no records. */
static void out_sums(struct out *o, const struct iotr_set *set)
{
	struct iotr_sum total = iotr_set_sum(set);

	if (!total.count)
		return;
	out_lit(o, "MPI looked for news in ");
	iot_stat_out_count(o, total.count, "more call", "more calls");
	out_lit(o, ", ");
	out_seconds(o, total.time);
	out_char(o, '\n');
}

static void out_calls(struct out *o, const uint64_t *total, uint64_t lost)
{
	iot_stat_out_count(o, total[IOTA_F_CALLS], "call", "calls");
	out_lit(o, " (");
	iot_stat_out_count(o, total[IOTA_F_SYSCALLS], "system call", "system calls");
	out_char(o, ')');
	out_also(o, total[IOTA_F_ERRORS], "failed");
	out_also(o, total[IOTA_F_UNFINISHED], "unfinished");
	out_also(o, total[IOTA_F_ABANDONED], "abandoned");
	out_also(o, lost, "NOT RECORDED");
	out_lit(o, "; ");
	out_seconds(o, total[IOTA_F_SELF]);
	out_lit(o, " in calls\n");
}

static void out_bytes_moved(struct out *o, const uint64_t *total, uint64_t wall)
{
	out_moved(o, "system calls read ", total[IOTA_F_READ], wall);
	out_moved(o, " and wrote ", total[IOTA_F_WRITTEN], wall);
	if (total[IOTA_F_LIB_READ] || total[IOTA_F_LIB_WRITTEN]) {
		out_lit(o, "\n");
		out_moved(o, "calls above them read ", total[IOTA_F_LIB_READ], 0);
		out_moved(o, " and wrote ", total[IOTA_F_LIB_WRITTEN], 0);
	}
	out_char(o, '\n');
	if (!total[IOTA_F_INFERRED])
		return;
	iot_stat_out_count(o, total[IOTA_F_INFERRED], "transfer", "transfers");
	out_str(o, total[IOTA_F_INFERRED] == 1 ?
			   " inside libc was inferred: how long it took is not known\n" :
			   " inside libc were inferred: how long they took is not known\n");
}

/* What the kernel counted, if IOTRACE_CACHE asked it. */
static void out_io(struct out *o, const struct iotr_set *set)
{
	struct iotr_io sum = {0}, io;
	bool any = false;
	size_t i;

	for (i = 0; i < iotr_set_size(set); i++) {
		if (!iotr_log_io(iotr_set_log(set, i), &io))
			continue;
		any = true;
		sum.rchar += io.rchar;
		sum.wchar += io.wchar;
		sum.read_bytes += io.read_bytes;
		sum.write_bytes += io.write_bytes;
		sum.cancelled_write_bytes += io.cancelled_write_bytes;
	}
	if (!any)
		return;
	iot_stat_out_bytes(o, "the kernel counted ", sum.rchar);
	iot_stat_out_bytes(o, " read, ", sum.read_bytes);
	iot_stat_out_bytes(o, " from devices; ", sum.wchar);
	iot_stat_out_bytes(o, " written, ", sum.write_bytes);
	iot_stat_out_bytes(o, " became dirty, ", sum.cancelled_write_bytes);
	out_lit(o, " of these were never written to a device\n");
}

/* ---- what no call accounts for ---- */

#define FAULT 5000	   /* ns: a page fault that reads nothing takes the kernel less */
#define MAJOR 50000	   /* ns: one that has a device read takes the kernel less */
#define MANY_MAJOR 1000	   /* page faults: to read them, most programs and their libraries take fewer */
#define CALL 5000	   /* ns: a recorded system call takes the kernel less than that besides its time; one that
			      waits, less altogether */
#define NO_MATTER 50000000 /* ns: less is not worth a line; the kernel may count in ticks */

/* Whether the log was recorded with one of these settings.  A NULL ends them. */
static bool is_set(const struct iotr_log *log, const char *const *settings)
{
	const char *key, *value;
	size_t n, i, len;

	for (n = 0; iotr_log_key_at(log, n, &key, &value, &len); n++)
		for (i = 0; !strcmp(key, "setting") && settings[i]; i++)
			if (!strncmp(value, settings[i], strlen(settings[i])))
				return true;
	return false;
}

/* Whether a setting made the log lack calls, or have all system calls. */
static bool is_chosen(const struct iotr_log *log)
{
	static const char *const settings[] = {
		"IOTRACE_CALLS=", "IOTRACE_PATHS=", "IOTRACE_EXCLUDE=", "IOTRACE_LONGER=", "IOTRACE_AFTER=", "IOTRACE_UNTIL=",
		"IOTRACE_SAMPLE=", "IOTRACE_LIMIT=", "IOTRACE_SYSCALLS=", "IOTRACE_FAULTS=", "IOTRACE_CACHE=", NULL};

	return is_set(log, settings);
}

/* The processor's time for the threads, ns; *system is without page faults.  False: the time is not known, or can't
   be compared with the calls on record, as of ranks: MPI's library has calls of its own. */
static bool is_used(const struct iotr_set *set, uint64_t *system, uint64_t *user)
{
	uint64_t faults = 0;
	size_t i;

	*system = *user = 0;
	for (i = 0; i < iotr_set_size(set); i++) {
		const struct iotr_log *log = iotr_set_log(set, i);
		struct iotr_usage u = iotr_log_usage(log);

		if (!u.ticks || is_chosen(log) || iotr_log_rank(log, NULL) >= 0)
			return false;
		*user += u.user * 1000;
		*system += u.system * 1000;
		faults += u.minor * FAULT + u.major * MAJOR;
	}
	*system -= faults < *system ? faults : *system;
	return true;
}

/* The kernel's time, ns, if recorded calls don't account for it, else 0.  Not seen are calls that libc makes within
   itself, as for getpwuid(3), and those of code that makes system calls by itself. */
uint64_t iot_stat_unaccounted(const struct iotr_set *set, const uint64_t *total, uint64_t lived)
{
	uint64_t known = total[IOTA_F_SELF] - total[IOTA_F_WAITING] + total[IOTA_F_SYSCALLS] * CALL;
	uint64_t system, user, rest;

	if (iot_filter_given || !is_used(set, &system, &user) || system < known)
		return 0;
	rest = system - known;
	if (rest < NO_MATTER || rest < system / 2 || rest < (system + user) / 10 || rest < lived / 100)
		return 0;
	return system;
}

static void out_unaccounted(struct out *o, const struct iotr_set *set, const uint64_t *total, uint64_t lived)
{
	uint64_t system = iot_stat_unaccounted(set, total, lived);

	if (!system)
		return;
	out_lit(o, "the kernel worked ");
	out_seconds(o, system);
	out_lit(o, ", recorded calls ");
	out_seconds(o, total[IOTA_F_SELF] - total[IOTA_F_WAITING]);
	out_lit(o, ": try --syscalls\n");
}

#define PAGED_IN (64ull << 20) /* bytes that page faults may read before that is said, however few they are */

/* No call tells what is read of mapped files: much, if devices read more than calls did. */
static void out_faulted(struct out *o, const struct iota *a, const struct iotr_set *set)
{
	static const char *const settings[] = {"IOTRACE_FAULTS=", NULL};
	uint64_t major = 0, in = 0, total[IOTA_N_COMMON];
	struct iotr_usage used;
	size_t i;

	if (iot_filter_given)
		return;
	for (i = 0; i < iotr_set_size(set); i++)
		if (!is_set(iotr_set_log(set, i), settings)) {
			used = iotr_log_usage(iotr_set_log(set, i));
			major += used.major;
			in += used.in * 512;
		}
	iota_total(a, IOTA_BY_CALL, total);
	if (major < MANY_MAJOR && (!major || in < total[IOTA_F_READ] + PAGED_IN))
		return;
	iot_stat_out_count(o, major, "page fault", "page faults");
	out_lit(o, " waited for a device, of mapped files: try IOTRACE_FAULTS=1\n");
}

/* ---- what calls waited for that is no I/O ---- */

#define TAKEN 20	  /* times: fewer tell nothing */
#define TAKEN_A_SECOND 50 /* of processor's time: a thread that is alone loses the processor a few times a second to
			     threads of the kernel's */

/* If a thread loses the processor within a call, the call looks long. */
static void out_taken(struct out *o, const struct iotr_set *set)
{
	uint64_t taken = 0, used = 0;
	size_t i;

	if (iot_filter_given)
		return;
	for (i = 0; i < iotr_set_size(set); i++) {
		struct iotr_usage u = iotr_log_usage(iotr_set_log(set, i));

		taken += u.involuntary;
		used += u.user + u.system;
	}
	if (taken < TAKEN || taken * 1000000 < used * TAKEN_A_SECOND)
		return;
	iot_stat_out_count(o, taken, "time", "times");
	out_lit(o, " a thread lost its processor: calls look longer than they are\n");
}

void iot_stat_head(struct out *o, const struct iota *a, const struct iotr_set *set)
{
	struct iota_job job = iota_job(a);
	uint64_t total[IOTA_N_COMMON];

	iota_total(a, IOTA_BY_CALL, total);
	out_who(o, a, set, &job);
	out_spent(o, total, &job);
	out_undivided(o, iota_undivided(a), &job);
	out_spread(o, &job);
	out_bytes_moved(o, total, job.wall);
	out_io(o, set);
	out_calls(o, total, iot_stat_lost(set));
	out_unaccounted(o, set, total, job.lived);
	out_faulted(o, a, set);
	out_taken(o, set);
	out_sums(o, set);
}
