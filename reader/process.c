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

#include "read.h"

struct iot_process *iot_process_get(struct iot_log *log, uint32_t number, uint32_t pid)
{
	struct iot_process *p = iot_idmap_get(&log->process, number);

	if (p)
		return p;
	p = iot_arena_alloc(&log->arena, sizeof(*p));
	p->number = p->parent = number;
	p->pid = pid;
	iot_idmap_put(&log->process, number, p);
	return p;
}

/* A child's number is taken after its parent's: so nobody is its own ancestor. */
bool iot_process_define(struct iot_log *log, const uint64_t *p, size_t n)
{
	struct iot_process *process;

	if (n < 4 || p[0] > UINT32_MAX || p[1] > UINT32_MAX || (p[0] && p[2] >= p[0]))
		return false;
	process = iot_process_get(log, (uint32_t)p[0], (uint32_t)p[1]);
	process->pid = (uint32_t)p[1];
	process->ticks = p[3];
	process->parent = p[0] ? (uint32_t)p[2] : 0;
	return true;
}

const struct iot_process *iot_log_process(const struct iot_log *log, uint32_t number)
{
	return iot_idmap_get(&log->process, number);
}

const struct iot_process *iot_process_parent(const struct iot_log *log, const struct iot_process *p)
{
	return p->parent == p->number ? NULL : iot_log_process(log, p->parent);
}

struct iot_process *iot_process_mapped(const struct iot_log *log, uint32_t number, uint64_t *ticks)
{
	struct iot_process *p = iot_idmap_get(&log->process, number), *parent;
	unsigned i;

	for (i = 0; i < IOT_ANCESTORS && p && !p->maps && p->parent != p->number; i++) {
		parent = iot_idmap_get(&log->process, p->parent);
		if (!parent)
			break;
		if (*ticks > p->ticks)
			*ticks = p->ticks;
		p = parent;
	}
	return p;
}
