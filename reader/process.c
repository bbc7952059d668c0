/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * process.c - the processes of a log: the one that created it, and those that were
 * forked from it and went on in it.
 *
 * A process is known by its number.  Its pid may be that of one that ended before.  A
 * log that lost its beginning has processes of which nothing is known but what their
 * blocks say; then a process has no parent.
 */
#include "config.h"

#include "define.h"

struct iotr_process *iotr_process_get(struct iotr_log *log, uint32_t number, uint32_t pid)
{
	struct iotr_process *p = iotr_idmap_get(&log->process, number);

	if (p)
		return p;
	p = iotr_arena_alloc(&log->arena, sizeof(*p));
	p->number = p->parent = number;
	/* a block of that number may be a child's that vfork() let run in its memory */
	p->pid = number || !log->header.pid ? pid : log->header.pid;
	iotr_idmap_put(&log->process, number, p);
	return p;
}

/* A child's number is taken after its parent's: so nobody is its own ancestor. */
bool iotr_process_define(struct iotr_log *log, const uint64_t *p, size_t n)
{
	struct iotr_process *process;

	if (n < 4 || p[0] > UINT32_MAX || p[1] > UINT32_MAX || (p[0] && p[2] >= p[0]))
		return false;
	process = iotr_process_get(log, (uint32_t)p[0], (uint32_t)p[1]);
	process->pid = (uint32_t)p[1];
	process->ticks = p[3];
	process->parent = p[0] ? (uint32_t)p[2] : 0;
	return true;
}

const struct iotr_process *iotr_log_process(const struct iotr_log *log, uint32_t number)
{
	return iotr_idmap_get(&log->process, number);
}

const struct iotr_process *iotr_process_parent(const struct iotr_log *log,
					       const struct iotr_process *p)
{
	return p->parent == p->number ? NULL : iotr_log_process(log, p->parent);
}

struct iotr_process *iotr_process_mapped(const struct iotr_log *log, uint32_t number,
					 uint64_t *ticks)
{
	struct iotr_process *p = iotr_idmap_get(&log->process, number), *parent;
	unsigned i;

	for (i = 0; i < IOTR_ANCESTORS && p && !p->maps && p->parent != p->number; i++) {
		parent = iotr_idmap_get(&log->process, p->parent);
		if (!parent)
			break;
		if (*ticks > p->ticks)
			*ticks = p->ticks;
		p = parent;
	}
	return p;
}
