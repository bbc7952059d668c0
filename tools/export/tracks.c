/* SPDX-License-Identifier: BSD-3-Clause */
/* tracks.c - which process and thread of a viewer's a call belongs to. */
#include "config.h"

#include <stdlib.h>

#include "tracks.h"

#define BEHIND_ALL 10000000 /* greater than any pid that Linux gives */

static void *more(void *p, size_t n, size_t size)
{
	p = reallocarray(p, n, size);
	if (!p)
		iot_no_memory();
	return p;
}

/* Two hosts, or two hours, may have the same pid.  Threads and processes have numbers apart, but for
   a process's first thread, which has its number. */
static uint64_t number_for(struct tracks *all, uint32_t id, char kind)
{
	struct {
		uint32_t id, kind;
	} key = {id, (uint32_t)kind};
	bool is_new;

	iot_dict(&all->numbers, &key, sizeof(key), &is_new);
	return is_new ? id : BEHIND_ALL + all->n_behind++;
}

static struct process_track *process_of(struct tracks *all, const struct iotr_call *call, bool *is_new)
{
	const struct {
		const struct iotr_log *log;
		uint32_t process, pid;
	} key = {call->log, call->process, call->pid};
	uint64_t *at = iot_dict(&all->processes, &key, sizeof(key), is_new);
	struct process_track *p;

	if (!*is_new)
		return all->process[*at];
	p = more(NULL, 1, sizeof(*p));
	*p = (struct process_track){.number = number_for(all, call->pid, 'p'), .log = call->log, .pid = call->pid};
	all->process = more(all->process, all->n_processes + 1, sizeof(struct process_track *));
	*at = all->n_processes;
	all->process[all->n_processes++] = p;
	return p;
}

static struct thread_track *thread_of(struct tracks *all, const struct iotr_call *call, uint32_t beside, bool *is_new,
				      bool *new_process)
{
	const struct {
		const struct iotr_log *log;
		uint32_t process, pid, tid, beside;
	} key = {call->log, call->process, call->pid, call->tid, beside};
	uint64_t *at = iot_dict(&all->threads, &key, sizeof(key), is_new);
	struct thread_track *t;

	*new_process = false;
	if (!*is_new)
		return all->track[*at];
	t = more(NULL, 1, sizeof(*t));
	*t = (struct thread_track){.process = process_of(all, call, new_process), .tid = call->tid, .beside = beside != 0};
	t->number = !beside && call->tid == call->pid ? t->process->number
		    : beside			      ? BEHIND_ALL + all->n_behind++
						      : number_for(all, call->tid, 't');
	all->track = more(all->track, all->n + 1, sizeof(struct thread_track *));
	*at = all->n;
	all->track[all->n++] = t;
	return t;
}

/* Whether the call, which is the latest, lies within those in progress; it is one of them then. */
static bool nests(struct thread_track *t, uint64_t start, uint64_t end)
{
	while (t->n && t->calls[t->n - 1].end <= start)
		t->n--;
	if (t->n && t->calls[t->n - 1].end < end)
		return false;
	if (end == start)
		return true;
	if (t->n == t->cap) {
		t->cap = t->cap ? t->cap * 2 : 8;
		t->calls = more(t->calls, t->cap, sizeof(*t->calls));
	}
	t->calls[t->n++] = (struct track_call){start, end};
	return true;
}

struct thread_track *iot_track(struct tracks *all, const struct iotr_call *call, uint64_t dur, bool *is_new,
			       bool *new_process)
{
	struct thread_track *t;
	uint32_t beside = 0;

	do
		t = thread_of(all, call, beside++, is_new, new_process);
	while (!nests(t, call->start, call->start + dur));
	return t;
}

void iot_track_around(const struct thread_track *t, const struct iotr_call *call, uint64_t *start)
{
	size_t n = t->n;

	while (n && t->calls[n - 1].start >= call->start)
		n--;
	if (n)
		*start = t->calls[n - 1].start;
}

struct thread_track *iot_track_next(const struct tracks *all, size_t *at)
{
	return *at < all->n ? all->track[(*at)++] : NULL;
}

void iot_tracks_free(struct tracks *all)
{
	while (all->n) {
		free(all->track[--all->n]->calls);
		free(all->track[all->n]);
	}
	while (all->n_processes)
		free(all->process[--all->n_processes]);
	free(all->track);
	free(all->process);
	all->track = NULL;
	all->process = NULL;
	iot_dict_free(&all->processes);
	iot_dict_free(&all->threads);
	iot_dict_free(&all->numbers);
}
