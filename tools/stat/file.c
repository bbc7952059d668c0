/* SPDX-License-Identifier: BSD-3-Clause */
/* stat-file.c - what calls did to which file, and in which order. */
#include "config.h"

#include <stdio.h>

#include "stat.h"

#define UNKNOWN UINT64_MAX

/* A descriptor in the hands of one thread: iotr_handle.user.  Threads are read one
   after the other, and each begins anew. */
struct use {
	struct row *row;
	uint32_t stream;
	bool moved;	   /* the thread read or wrote */
	uint64_t end;	   /* of what it read or wrote last */
	uint64_t position; /* file offset as its last call left it */
};

static struct row *row_of_path(const struct iotr_path *path)
{
	/* the object is the log's and const to us, but this field is ours */
	if (!path->user)
		((struct iotr_path *)path)->user = iot_row(BY_FILE, path->name, path->len, NULL);
	return path->user;
}

/* What has a descriptor but no name is one thing a log. */
static struct row *row_of_descriptor(const struct iotr_call *call, const struct iotr_handle *h)
{
	char name[100];
	int n = snprintf(name, sizeof(name), "(descriptor %d of process %u)", h->fd, call->pid);

	return iot_row(BY_FILE, name, (size_t)n, NULL);
}

static struct use *use_of(const struct iotr_call *call, const struct iotr_handle *h)
{
	struct use *use = h->user;

	if (!use) {
		use = iot_stat_alloc(sizeof(*use));
		use->row = h->path ? row_of_path(h->path) : row_of_descriptor(call, h);
		use->stream = ~call->stream;
		((struct iotr_handle *)h)->user = use;
	}
	if (use->stream != call->stream) {
		use->stream = call->stream;
		use->moved = false;
		use->position = UNKNOWN;
	}
	return use;
}

static void count_size(struct row *row, unsigned direction, uint64_t size)
{
	unsigned bits = size ? 64 - (unsigned)__builtin_clzll(size) : 0;
	struct sizes *s = row->sizes[direction];

	if (!s)
		s = row->sizes[direction] = iot_stat_alloc(sizeof(*s));
	if (bits >= N_SIZES)
		bits = N_SIZES - 1;
	s->n[bits]++;
	s->sum[bits] += size;
}

static void transfer(struct use *use, const struct sample *s)
{
	const struct iotr_call *call = s->call;
	uint64_t *v = use->row->v, end;

	if (s->does == DOES_WRITE) {
		count_size(use->row, 1, s->moved);
		v[F_WRITE_TIME] += s->self;
	} else {
		count_size(use->row, 0, s->moved);
		v[F_READ_TIME] += s->self;
	}
	if (!(call->has & IOT_HAS_OFFSET)) {
		if (!s->kind->positioned)
			use->position = UNKNOWN;
		return;
	}
	end = call->offset + s->moved;
	v[F_LOCATED]++;
	v[F_CONSECUTIVE] += !use->moved || call->offset == use->end;
	v[F_SEQUENTIAL] += !use->moved || call->offset >= use->end;
	use->moved = true;
	use->end = end;
	if (!s->kind->positioned)
		use->position = end;
	if (s->does != DOES_WRITE && end > v[F_HIGHEST_READ])
		v[F_HIGHEST_READ] = end;
}

static void with_descriptor(struct use *use, const struct sample *s)
{
	uint64_t *v = use->row->v;

	switch (s->does) {
	case DOES_READ:
	case DOES_WRITE:
	case DOES_COPY:
		transfer(use, s);
		break;
	case DOES_SEEK:
		v[F_SEEKS]++;
		v[F_IDLE_SEEKS] += (uint64_t)s->call->ret == use->position;
		use->position = (uint64_t)s->call->ret;
		break;
	case DOES_SYNC:
		v[F_SYNCS]++;
		break;
	default:
		break;
	}
}

/* What is copied is read from one file and written to another. */
static void copy(struct row *from, const struct sample *s)
{
	const struct iotr_call *call = s->call;
	struct sample half = *s;
	unsigned i;

	half.does = DOES_READ;
	iot_row_add(from, &half);
	for (i = 0; i < call->schema->n_params; i++) {
		struct row *to;

		if (call->value[i].type != IOTR_VAL_HANDLE)
			continue;
		to = use_of(call, call->value[i].handle)->row;
		to->v[F_WRITES]++;
		to->v[F_WRITTEN] += s->moved;
	}
}

void iot_file_add(const struct sample *s)
{
	const struct iotr_call *call = s->call;
	struct use *use = NULL;
	const struct iotr_path *path;
	const char *name;
	struct row *row;
	size_t len;
	int index;

	name = iotr_call_path(call, &len, &path, &index);
	if (call->handle && (!name || index < 0)) {
		use = use_of(call, call->handle);
		row = use->row;
	} else if (name) {
		row = path ? row_of_path(path) : iot_row(BY_FILE, name, len, NULL);
	} else {
		return;
	}
	if (s->does == DOES_COPY)
		copy(row, s);
	else
		iot_row_add(row, s);
	if (!row->v[F_FIRST] || call->start < row->v[F_FIRST])
		row->v[F_FIRST] = call->start;
	if (call->start > row->v[F_LAST])
		row->v[F_LAST] = call->start;
	if (s->opened) {
		row->v[F_OPENS]++;
		row->v[F_OPEN_TIME] += s->self;
	} else if (use && s->is_syscall) {
		with_descriptor(use, s);
	}
}
