/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread.c - which process, thread and rank a call was made by.
 *
 * Calls come thread by thread: what a thread did is by how much the totals have grown
 * from its first call to its last.
 */
#include "config.h"

#include <stdlib.h>

#include "spots.h"

#define TID_DIGITS 10 /* that the key of a thread ends with */

/* key is freed */
static struct iota_row *log_row(struct iota *a, enum iota_table_id id, const struct iotr_call *call,
				struct iota_bytes *key)
{
	const char *program = iotr_log_key(call->log, "program", NULL);
	bool is_new;
	struct iota_row *row = iota_row(a, id, key->p, key->len, &is_new);

	free(key->p);
	if (!is_new)
		return row;
	row->name = program ? program : "";
	row->name_len = strlen(row->name);
	row->extra = iotr_log_key(call->log, "host", NULL);
	row->v[IOTA_F_RANK] = (uint64_t)(iotr_log_rank(call->log, NULL) + 1);
	return row;
}

/* Children that a rank started without MPI's help have its number, too. */
static struct iota_row *rank_row(struct iota *a, const struct iotr_call *call)
{
	struct iota_bytes key = {0};

	iota_bytes_format(&key, "%010d", iotr_log_rank(call->log, NULL) + 1);
	return log_row(a, IOTA_BY_RANK, call, &key);
}

/* When the process began, and who forked it.  How long it has been there the log says
   of all its processes together; of one of several, its calls do. */
static void begin_process(struct iota_row *row, const struct iotr_call *call)
{
	const struct iotr_process *process = iotr_log_process(call->log, call->process), *parent;

	row->v[IOTA_F_BEGIN] = iotr_log_start(call->log);
	if (process && process->ticks)
		row->v[IOTA_F_BEGIN] = iotr_log_time(call->log, process->ticks);
	if (!process)
		return;
	if (call->pid != process->pid) /* vfork() has no record in the child */
		row->v[IOTA_F_BEGIN] = call->start;
	parent = call->pid == process->pid ? iotr_process_parent(call->log, process) : process;
	row->v[IOTA_F_PARENT] = parent ? parent->pid : 0;
}

/* Children are in their parent's log, and those of vfork() in its memory, until they
   execute another program.  Pids may come again. */
static struct iota_row *thread_row(struct iota *a, enum iota_table_id id,
				   const struct iotr_call *call, uint32_t tid)
{
	struct iota_bytes key = {0};
	struct iota_row *row;

	iota_bytes_text(&key, iotr_log_file(call->log));
	iota_bytes_add(&key, "", 1);
	iota_bytes_format(&key, "%010u%010u%0*u", call->process, call->pid, TID_DIGITS, tid);
	row = log_row(a, id, call, &key);
	row->v[IOTA_F_PID] = call->pid;
	row->v[IOTA_F_TID] = tid;
	if (id == IOTA_BY_PROCESS && !row->v[IOTA_F_BEGIN])
		begin_process(row, call);
	return row;
}

bool iota_is_thread_of(const struct iota_row *thread, const struct iota_row *process)
{
	return thread->v[IOTA_F_TID] != process->v[IOTA_F_PID] && thread->key_len == process->key_len &&
	       !memcmp(thread->key, process->key, process->key_len - TID_DIGITS);
}

static void add_growth(const struct iota *a, struct iota_row *row,
		       const uint64_t total[IOTA_N_COMMON])
{
	uint64_t growth[IOTA_N_COMMON];
	unsigned f;

	for (f = 0; f < IOTA_N_COMMON; f++)
		growth[f] = total[f] - a->thread.before[f];
	growth[IOTA_F_MAX] = a->thread.longest;
	iota_merge(a, IOTA_BY_THREAD, row->v, growth, IOTA_N_COMMON);
}

/* How long the thread was there: the one that a process begins with as long as the process,
   others from their first call to their last. */
static void add_life(struct iota *a, uint64_t process_end)
{
	const struct iota_thread *t = &a->thread;
	struct iota_row *const row[] = {t->process, t->thread, t->rank};
	uint64_t begin = t->begin, end = t->end;
	size_t i;

	if (t->tid == t->pid) {
		begin = t->process->v[IOTA_F_BEGIN];
		end = process_end;
	}
	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		if (!row[i])
			continue;
		row[i]->v[IOTA_F_THREADS]++;
		row[i]->v[IOTA_F_LIVED] += end > begin ? end - begin : 0;
	}
	iota_life_add(a, begin, end);
	iota_when_thread_end(a, begin, end, t->rank);
}

static void add_elapsed(struct iota *a)
{
	struct iota_thread *t = &a->thread;
	struct iota_row *process = t->process;
	uint64_t end = t->end;

	/* a child's fork() began in its parent */
	if (iotr_log_processes(t->log) == 1 && t->pid == iotr_log_pid(t->log))
		end = iota_log_latest(t->log);
	else if (t->begin && t->begin < process->v[IOTA_F_BEGIN])
		process->v[IOTA_F_BEGIN] = t->begin;
	if (end > process->v[IOTA_F_BEGIN] &&
	    end - process->v[IOTA_F_BEGIN] > process->v[IOTA_F_ELAPSED])
		process->v[IOTA_F_ELAPSED] = end - process->v[IOTA_F_BEGIN];
	add_life(a, end);
	t->begin = t->end = t->outside = t->alone = t->until = 0;
}

void iota_thread_end(struct iota *a)
{
	struct iota_thread *t = &a->thread;
	uint64_t total[IOTA_N_COMMON];

	iota_phases_thread_end(a);
	iota_total(a, IOTA_BY_CALL, total);
	if (t->process) {
		add_elapsed(a);
		add_growth(a, t->process, total);
	}
	if (t->thread)
		add_growth(a, t->thread, total);
	if (t->rank)
		add_growth(a, t->rank, total);
	memcpy(t->before, total, sizeof(total));
	t->longest = 0;
}

/* What all threads of the log used; asked for at each thread that is created, so it is not added
   up each time. */
static const struct iotr_usage *used_by(struct iota_thread *t, const struct iotr_log *log)
{
	if (t->used_of != log)
		t->used = iotr_log_usage(log);
	t->used_of = log;
	return &t->used;
}

void iota_thread_creates(struct iota *a, const struct iotr_call *call)
{
	struct iota_team *team = &a->thread.process->team;
	uint64_t begins;

	if (!iota_param(call, IOTR_KIND_ROUTINE, &begins))
		return;
	team->mixed |= team->n && begins != team->begins;
	team->begins = begins;
	team->n++;
	team->user = used_by(&a->thread, call->log)->user * 1000;
}

#define AWAY 20000000 /* ns, that a thread waits, about, until it has a processor again that others took */

/* The processor is taken from a thread where it uses it: in calls, as often as these have it. */
static uint64_t taken_in_calls(const struct iotr_usage *used)
{
	double all = (double)used->user + (double)used->system;

	return all > 0 ? (uint64_t)((double)used->involuntary * AWAY * (double)used->system / all) : 0;
}

/* Of a log with several processes nothing tells which one had what: calls of any may have stood still. */
static void count_process(struct iota_thread *t)
{
	const struct iotr_usage *used;

	if (!t->process)
		return;
	used = used_by(t, t->log);
	t->process->v[IOTA_F_TAKEN] = taken_in_calls(used);
	if (iotr_log_processes(t->log) != 1)
		return;
	t->process->v[IOTA_F_PAGED] = used->major;
	t->process->v[IOTA_F_WORKED] = (used->user + used->system) * 1000;
}

void iota_log_end(struct iota *a)
{
	if (!a->thread.log)
		return;
	count_process(&a->thread);
	if (a->finds)
		iota_computing_see(a, a->thread.log);
}

void iota_thread_begin(struct iota *a, const struct iotr_call *call)
{
	struct iota_thread *t = &a->thread;

	iota_thread_end(a);
	if (call->log != t->log)
		iota_log_end(a);
	t->log = call->log;
	t->number = call->process;
	t->pid = call->pid;
	t->tid = call->tid;
	t->serial++;
	t->bit = iota_thread_bit(call->tid, iotr_log_rank(call->log, NULL));
	t->process = thread_row(a, IOTA_BY_PROCESS, call, 0);
	if (a->table[IOTA_BY_THREAD].wanted)
		t->thread = thread_row(a, IOTA_BY_THREAD, call, call->tid);
	if (a->table[IOTA_BY_RANK].wanted)
		t->rank = rank_row(a, call);
}

uint64_t iota_log_latest(const struct iotr_log *log)
{
	return iotr_log_latest((struct iotr_log *)log);
}
