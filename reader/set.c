/* SPDX-License-Identifier: BSD-3-Clause */
/* set.c - several logs, and their calls merged by time. */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clock.h"
#include "heap.h"

struct iot_set {
	iot_message_fn *fn;
	void *arg;
	struct iot_log **log;
	size_t n_logs, cap_logs;
	struct iot_idmap by_start; /* one that began then */
	struct iot_shared *shared;
	struct iot_node *heap;
	size_t n_heap;
	bool begun;
	bool given; /* the heap's top was returned by the last call */
	struct iot_call call;
};

struct iot_set *iot_set_new(iot_message_fn *fn, void *arg)
{
	struct iot_set *set = iot_alloc(sizeof(*set));

	set->fn = fn;
	set->arg = arg;
	set->shared = iot_shared_use(NULL);
	return set;
}

void iot_set_symfs(struct iot_set *set, const char *dir)
{
	set->shared->symfs = iot_arena_copy(&set->shared->arena, dir, strlen(dir));
}

struct iot_shared *iot_set_shared(const struct iot_set *set)
{
	return set->shared;
}

static uint64_t start_id(const struct iot_log *log)
{
	return log->header.start.ticks ^ (uint64_t)log->header.pid << 40;
}

static unsigned form(const struct iot_log *log)
{
	return log->job ? 2 + !!iot_job_bytes(log->job)->packed : !!log->packed;
}

/* Are these what one process wrote, and what became of it when it was packed, or
   taken into the log of the job?  Both are there if iotrace-pack was told to keep
   logs, or the process was killed, or went on when its job had ended. */
static bool both_forms(const struct iot_log *a, const struct iot_log *b)
{
	const char *x = iot_log_key(a, "boot_id", NULL), *y = iot_log_key(b, "boot_id", NULL);

	return form(a) != form(b) && a->header.pid == b->header.pid &&
	       !memcmp(&a->header.start, &b->header.start, sizeof(a->header.start)) &&
	       !strcmp(x ? x : "", y ? y : "");
}

/* Of two forms of a log; one of its own has what came after the job's was made. */
static void leave_out(struct iot_set *set, struct iot_log *there, struct iot_log *new)
{
	struct iot_log *better = there->job && !new->job ? new : there;
	struct iot_log *other = better == new ? there : new;
	size_t i;

	iot_say(other, IOT_NOTE, "is left out: %s is the same log", better->file);
	for (i = 0; i < set->n_logs && better == new; i++) {
		if (set->log[i] != there)
			continue;
		set->log[i] = new;
		iot_idmap_put(&set->by_start, start_id(new), new);
	}
	iot_log_close(other);
}

void iot_set_add_log(struct iot_set *set, struct iot_log *log)
{
	uint64_t id = start_id(log);
	struct iot_log *other = iot_idmap_get(&set->by_start, id);

	if (other && both_forms(other, log)) {
		leave_out(set, other, log);
		return;
	}
	set->log = iot_grow(set->log, &set->cap_logs, set->n_logs + 1, sizeof(struct iot_log *));
	set->log[set->n_logs++] = log;
	iot_idmap_put(&set->by_start, id, log);
}

void iot_unreadable(struct iot_set *set, const char *file, const char *text, int err)
{
	char buf[200];

	snprintf(buf, sizeof(buf), "%s%s%s", text, err ? ": " : "", err ? strerror(err) : "");
	if (set->fn)
		set->fn(set->arg, IOT_UNREADABLE, file, buf);
}

int iot_is_log(const struct dirent *d)
{
	size_t n = strlen(d->d_name), m = strlen(".iotrace");

	return n > m && !strcmp(d->d_name + n - m, ".iotrace");
}

static int add_bytes(struct iot_set *set, struct iot_log *bytes)
{
	return bytes ? iot_job_each(bytes, iot_log_begin, set) : -1;
}

int iot_set_add_mem(struct iot_set *set, const void *data, size_t size, const char *name)
{
	return add_bytes(set, iot_log_bytes_mem(data, size, name, set->fn, set->arg));
}

static int add_directory(struct iot_set *set, const char *path)
{
	struct dirent **list;
	int i, n = scandir(path, &list, iot_is_log, alphasort), added = 0;

	if (n < 0) {
		iot_unreadable(set, path, "can't be read", errno);
		return -1;
	}
	for (i = 0; i < n; i++) {
		size_t size = strlen(path) + strlen(list[i]->d_name) + 2;
		char *file = iot_alloc(size);

		snprintf(file, size, "%s/%s", path, list[i]->d_name);
		added += add_bytes(set, iot_log_bytes(file, set->fn, set->arg)) == 0;
		free(file);
		free(list[i]);
	}
	free(list);
	if (n == 0)
		iot_unreadable(set, path, "is a directory without logs (*.iotrace)", 0);
	return added ? 0 : -1;
}

int iot_set_add(struct iot_set *set, const char *path)
{
	struct stat st;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return add_directory(set, path);
	return add_bytes(set, iot_log_bytes(path, set->fn, set->arg));
}

size_t iot_set_size(const struct iot_set *set)
{
	return set->n_logs;
}

struct iot_log *iot_set_log(const struct iot_set *set, size_t n)
{
	return n < set->n_logs ? set->log[n] : NULL;
}

static void begin(struct iot_set *set)
{
	size_t i, j, n = 0;

	for (i = 0; i < set->n_logs; i++)
		n += set->log[i]->n_streams;
	set->heap = iot_alloc(n * sizeof(*set->heap));
	for (i = 0; i < set->n_logs; i++) {
		for (j = 0; j < set->log[i]->n_streams; j++) {
			struct iot_stream *s = set->log[i]->stream[j];

			/* Streams are read only when their time has come, so that a
			   thousand threads need not be in memory at once. */
			iot_index_late(s);
			set->heap[set->n_heap++] = (struct iot_node){
				.ns = iot_clock_ns(s->log, iot_stream_bound(s)),
				.order = (uint64_t)i << 32 | j,
				.stream = s,
			};
		}
	}
	for (i = set->n_heap / 2; i-- > 0;)
		iot_heap_down(set->heap, set->n_heap, i);
	set->begun = true;
}

/* Put the stream at the top where its next call belongs. */
static void advance(struct iot_set *set)
{
	struct iot_node *top = &set->heap[0];
	struct iot_stream *s = top->stream;

	s->started = true;
	if (iot_stream_next(s)) {
		top->ns = iot_clock_ns(s->log, s->head.start);
	} else {
		iot_stream_close(s);
		*top = set->heap[--set->n_heap];
	}
	if (set->n_heap)
		iot_heap_down(set->heap, set->n_heap, 0);
}

/* Uses of what nothing defines, said once a log when all is read.  Where blocks
   were lost, so were their definitions. */
void iot_set_end(struct iot_set *set)
{
	size_t i;

	for (i = 0; i < set->n_logs; i++) {
		struct iot_log *log = set->log[i];

		if (log->n_bad_refs)
			iot_say(log, iot_log_lost(log).calls ? IOT_NOTE : IOT_DAMAGE,
				"%llu uses of paths, handles or stacks that the log does not define",
				(unsigned long long)log->n_bad_refs);
		log->n_bad_refs = 0;
	}
}

const struct iot_call *iot_set_next(struct iot_set *set)
{
	if (!set->begun)
		begin(set);
	if (set->given)
		advance(set);
	set->given = false;
	while (set->n_heap && !set->heap[0].stream->started)
		advance(set);
	if (!set->n_heap) {
		iot_set_end(set);
		return NULL;
	}
	iot_stream_call(set->heap[0].stream, &set->call);
	set->given = true;
	return &set->call;
}

void iot_set_scan(struct iot_set *set, iot_call_fn *fn, void *arg)
{
	size_t i, j;

	for (i = 0; i < set->n_logs; i++)
		for (j = 0; j < set->log[i]->n_streams; j++)
			iot_stream_scan(set->log[i]->stream[j], fn, arg);
	iot_set_end(set);
}

void iot_set_progress(const struct iot_set *set, uint64_t *done, uint64_t *total)
{
	size_t i;

	*done = *total = 0;
	for (i = 0; i < set->n_logs; i++) {
		*done += set->log[i]->done;
		*total += set->log[i]->total;
	}
}

void iot_set_free(struct iot_set *set)
{
	size_t i;

	if (!set)
		return;
	for (i = 0; i < set->n_logs; i++)
		iot_log_close(set->log[i]);
	free(set->log);
	iot_shared_drop(set->shared);
	iot_idmap_free(&set->by_start);
	free(set->heap);
	free(set);
}
