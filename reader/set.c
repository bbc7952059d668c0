/* SPDX-License-Identifier: BSD-3-Clause */
/* set.c - several logs, and their calls merged by time. */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "block-files.h"
#include "clock.h"
#include "starve.h"
#include "set.h"

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

static int share(struct iotr_set *set)
{
	struct iotr_guard guard;

	if (!IOTR_TRY(&guard))
		return -1;
	set->shared = iotr_shared_use(NULL);
	iotr_guard_end(&guard);
	return 0;
}

struct iotr_set *iotr_set_new(iotr_message_fn *fn, void *arg)
{
	struct iotr_set *set = calloc(1, sizeof(*set));

	if (!set || share(set) < 0) {
		free(set);
		iotr_say_starved(fn, arg, "the logs");
		return NULL;
	}
	set->fn = fn;
	set->arg = arg;
	set->choice.to = UINT64_MAX;
	return set;
}

void iotr_set_mute(struct iotr_set *set)
{
	set->shared->mute = true;
}

void iotr_set_symfs(struct iotr_set *set, const char *dir)
{
	struct iotr_guard guard;

	if (!IOTR_TRY(&guard)) {
		iotr_starved(set);
		return;
	}
	set->shared->symfs = iotr_arena_copy(&set->shared->arena, dir, strlen(dir));
	iotr_guard_end(&guard);
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
}

void iotr_set_add_log(struct iotr_set *set, struct iotr_log *log)
{
	struct iotr_guard guard;

	if (set->failed || !IOTR_TRY(&guard)) {
		iotr_starved(set);
		return;
	}
	iotr_set_take(set, log);
	iotr_guard_end(&guard);
}

void iotr_unreadable(struct iotr_set *set, const char *file, const char *text, int err)
{
	char buf[200];

	snprintf(buf, sizeof(buf), "%s%s%s", text, err ? ": " : "", err ? strerror(err) : "");
	if (set->fn)
		set->fn(set->arg, IOTR_UNREADABLE, file, buf);
}

int iotr_is_log(const struct dirent *d)
{
	size_t n = strlen(d->d_name), m = strlen(".iotrace");

	return n > m && !strcmp(d->d_name + n - m, ".iotrace");
}

static int add_bytes(struct iotr_set *set, struct iotr_log *bytes)
{
	return bytes ? iotr_job_each(bytes, iotr_log_begin, set) : -1;
}

int iotr_set_add_mem(struct iotr_set *set, const void *data, size_t size, const char *name)
{
	struct iotr_guard guard;
	int got;

	if (set->failed || !IOTR_TRY(&guard))
		return iotr_starved(set);
	got = add_bytes(set, iotr_log_bytes_mem(data, size, name, set->fn, set->arg));
	iotr_guard_end(&guard);
	return got;
}

static int add_directory(struct iotr_set *set, const char *path)
{
	struct dirent **list;
	int i, n = scandir(path, &list, iotr_is_log, alphasort), added = 0;

	if (n < 0 && errno == ENOMEM)
		iotr_no_memory();
	if (n < 0) {
		iotr_unreadable(set, path, "can't be read", errno);
		return -1;
	}
	for (i = 0; i < n; i++) {
		size_t size = strlen(path) + strlen(list[i]->d_name) + 2;
		char *file = iotr_alloc(size);

		snprintf(file, size, "%s/%s", path, list[i]->d_name);
		added += add_bytes(set, iotr_log_bytes(file, set->fn, set->arg)) == 0;
		free(file);
		free(list[i]);
	}
	free(list);
	if (n == 0)
		iotr_unreadable(set, path, "is a directory without logs (*.iotrace)", 0);
	return added ? 0 : -1;
}

int iotr_set_add(struct iotr_set *set, const char *path)
{
	struct iotr_guard guard;
	struct stat st;
	int got;

	if (set->failed || !IOTR_TRY(&guard))
		return iotr_starved(set);
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		got = add_directory(set, path);
	else
		got = add_bytes(set, iotr_log_bytes(path, set->fn, set->arg));
	iotr_guard_end(&guard);
	return got;
}

size_t iotr_set_size(const struct iotr_set *set)
{
	return set->n_logs;
}

struct iotr_log *iotr_set_log(const struct iotr_set *set, size_t n)
{
	return n < set->n_logs ? set->log[n] : NULL;
}

/* Ids of calls: each stream has as many as it has words of records, and one for each call
   that may be in progress. */
static void number_calls(struct iotr_set *set)
{
	uint64_t id = 1;

	for (size_t i = 0; i < set->n_logs; i++) {
		for (size_t j = 0; j < set->log[i]->n_streams; j++) {
			struct iotr_stream *s = set->log[i]->stream[j];

			s->first_id = id;
			for (size_t k = 0; k < s->n_refs; k++) {
				s->ref[k].before = id - s->first_id;
				id += s->ref[k].used / 8;
			}
			s->first_slot_id = id;
			id += s->n_slots;
		}
	}
}

static void begin(struct iotr_set *set)
{
	size_t i, j, n = 0;

	number_calls(set);
	iotr_set_restart(set);
	for (i = 0; i < set->n_logs; i++)
		n += set->log[i]->n_streams;
	set->heap = iotr_alloc(n * sizeof(*set->heap));
	for (i = 0; i < set->n_logs; i++) {
		for (j = 0; j < set->log[i]->n_streams; j++) {
			struct iotr_stream *s = set->log[i]->stream[j];

			if (!s->wanted)
				continue;
			/* Streams are read only when their time has come, so that a
			   thousand threads need not be in memory at once. */
			iotr_index_late(s);
			set->heap[set->n_heap++] = (struct iotr_node){
				.ns = iotr_clock_ns(s->log, iotr_stream_bound(s)),
				.order = (uint64_t)i << 32 | j,
				.stream = s,
			};
		}
	}
	for (i = set->n_heap / 2; i-- > 0;)
		iotr_heap_down(set->heap, set->n_heap, i);
	set->begun = true;
}

/* Put the stream at the top where its next call belongs. */
static void advance(struct iotr_set *set)
{
	struct iotr_node *top = &set->heap[0];
	struct iotr_stream *s = top->stream;

	s->started = true;
	if (iotr_stream_next(s)) {
		top->ns = iotr_clock_ns(s->log, s->head.start);
	} else {
		iotr_stream_close(s);
		*top = set->heap[--set->n_heap];
	}
	if (set->n_heap)
		iotr_heap_down(set->heap, set->n_heap, 0);
}

/* Uses of what nothing defines, said once a log when all is read.  Where blocks
   were lost, so were their definitions. */
void iotr_set_end(struct iotr_set *set)
{
	size_t i;

	for (i = 0; i < set->n_logs; i++) {
		struct iotr_log *log = set->log[i];

		if (log->n_bad_refs && !log->bad_refs_said)
			iotr_say(log, iotr_log_lost(log).calls || log->torn ? IOTR_NOTE : IOTR_DAMAGE,
				 "%llu uses of paths, handles or stacks that the log does not "
				 "define",
				 (unsigned long long)log->n_bad_refs);
		log->bad_refs_said |= log->n_bad_refs;
		log->n_bad_refs = 0;
	}
}

/* The call on top, if it is chosen.  One that is not may still be another's parent. */
static bool take(struct iotr_set *set)
{
	struct iotr_stream *s = set->heap[0].stream;

	set->given = true;
	if (!iotr_chosen_schema(set, iotr_schema_get(s->log, s->head.call)) ||
	    (s->log->chosen_files && s->head_words &&
	     !iotr_files_record_may_pass(set, s->log, s->head_words))) {
		iotr_stream_pass(s, &set->call);
		return false;
	}
	iotr_stream_call(s, &set->call);
	return iotr_chosen_call(set, &set->call);
}

static const struct iotr_call *next(struct iotr_set *set)
{
	if (!set->begun)
		begin(set);
	for (;;) {
		if (set->given)
			advance(set);
		set->given = false;
		while (set->n_heap && !set->heap[0].stream->started)
			advance(set);
		if (!set->n_heap || set->heap[0].ns >= set->choice.to) {
			iotr_set_end(set);
			return NULL;
		}
		if (take(set))
			return &set->call;
	}
}

const struct iotr_call *iotr_set_next(struct iotr_set *set)
{
	const struct iotr_call *call;
	struct iotr_guard guard;

	if (set->failed)
		return NULL;
	if (!IOTR_TRY(&guard)) {
		iotr_starved(set);
		return NULL;
	}
	call = next(set);
	iotr_guard_end(&guard);
	return call;
}

static void scan(struct iotr_set *set, iotr_call_fn *fn, void *arg)
{
	size_t i, j;

	number_calls(set);
	iotr_set_restart(set);
	set->begun = false;
	for (i = 0; i < set->n_logs; i++)
		for (j = 0; j < set->log[i]->n_streams; j++)
			if (set->log[i]->stream[j]->wanted)
				iotr_stream_scan(set, set->log[i]->stream[j], fn, arg);
	iotr_set_end(set);
}

void iotr_set_scan(struct iotr_set *set, iotr_call_fn *fn, void *arg)
{
	struct iotr_guard guard;

	if (set->failed || !IOTR_TRY(&guard)) {
		iotr_starved(set);
		return;
	}
	scan(set, fn, arg);
	iotr_guard_end(&guard);
}

void iotr_set_progress(const struct iotr_set *set, uint64_t *done, uint64_t *total)
{
	size_t i;

	*done = *total = 0;
	for (i = 0; i < set->n_logs; i++) {
		*done += set->log[i]->done;
		*total += set->log[i]->total;
	}
}

void iotr_set_free(struct iotr_set *set)
{
	size_t i;

	if (!set)
		return;
	for (i = 0; i < set->n_logs; i++)
		iotr_log_close(set->log[i]);
	free(set->log);
	iotr_kept_names_free(set);
	iotr_shared_drop(set->shared);
	iotr_idmap_free(&set->by_start);
	free(set->heap);
	free(set);
}
