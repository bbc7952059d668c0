/* SPDX-License-Identifier: BSD-3-Clause */
/* batch.c - calls as columns, for programs that would rather not be called for each. */
#include "config.h"

#include "set.h"
#include "starve.h"

static const struct iotr_path *path_of(struct iotr_set *set, const struct iotr_call *call)
{
	const struct iotr_path *path;
	size_t len;
	const char *name = iotr_call_path(call, &len, &path, NULL);

	return !name || path ? path : iotr_kept_name(set, name, len);
}

static uint32_t flags_of(const struct iotr_call *call)
{
	return call->has | (iotr_call_has_dur(call) ? IOTR_HAS_DUR : 0) | (call->internal ? IOTR_IS_INTERNAL : 0) |
	       (call->mpi_own ? IOTR_IS_MPI_OWN : 0) | (call->inferred ? IOTR_IS_INFERRED : 0);
}

#define STORE(column, value) \
	if (to->column)      \
	to->column[i] = (value)

static void store(struct iotr_set *set, const struct iotr_batch *to, size_t i, const struct iotr_call *call)
{
	STORE(log, call->log);
	STORE(schema, call->schema);
	STORE(path, path_of(set, call));
	STORE(syscall, iotr_call_syscall(call));
	STORE(start, call->start);
	STORE(dur, call->dur);
	STORE(id, call->id);
	STORE(parent_id, call->parent_id);
	STORE(size, call->size);
	STORE(offset, call->offset);
	STORE(ret, call->ret);
	STORE(err, call->err);
	STORE(fd, call->handle ? call->handle->fd : -1);
	STORE(pid, call->pid);
	STORE(tid, call->tid);
	STORE(depth, call->depth);
	STORE(stack, call->stack);
	STORE(status, call->status);
	STORE(flags, flags_of(call));
}

size_t iotr_set_batch(struct iotr_set *set, const struct iotr_batch *to, size_t n)
{
	const struct iotr_call *call;
	struct iotr_guard guard;
	volatile size_t i = 0;

	if (set->failed)
		return 0;
	if (!IOTR_TRY(&guard)) {
		iotr_starved(set);
		return 0;
	}
	for (; i < n && (call = iotr_set_next(set)); i++)
		store(set, to, i, call);
	iotr_guard_end(&guard);
	return set->failed ? 0 : i;
}
