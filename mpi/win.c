/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * win.c - windows, memory that other processes access: the family mpi.
 *
 * The log calls a window by its communicator and how many this one had before,
 * "world:1", "0-3,8#2:1": all of the communicator's processes make its windows in the
 * same order, so that all have the same name for one.
 */
#include <string.h>

#include "arena.h"
#include "iompi.h"
#include "table.h"
#include "text.h"

struct entry {
	uintptr_t key;			/* MPI_Win */
	uint32_t generation;
	struct iot_mpi_comm *on;
	struct iot_kept *name;
};

static struct iot_mpi_table windows = { .size = sizeof(struct entry) };

static struct iot_kept *name_next(struct iot_mpi_comm *on)
{
	size_t size = strlen(on->text) + sizeof(":4294967295");
	struct iot_kept *name = iot_map(sizeof(*name) + size);
	struct iot_text x = { .buf = (char *)(name + 1), .cap = (uint32_t)size - 1 };

	if (!name)
		return NULL;
	iot_puts(&x, on->text);
	iot_puts(&x, ":");
	iot_putu(&x, __atomic_add_fetch(&on->windows, 1, __ATOMIC_RELAXED));
	x.buf[x.len] = 0;
	name->text = x.buf;
	return name;
}

/* Of the communicator that the call is on. */
void iot_mpi_win_made(struct iot_mpi *m, const MPI_Win *win)
{
	struct entry *e;
	uintptr_t key;

	if (m->error || !m->on)
		return;
	key = iot_mpi_key((uintptr_t)*win);
	m->win = name_next(m->on);
	e = iot_mpi_table_find(&windows, key);
	if (!e)
		e = iot_mpi_table_claim(&windows, key);
	if (!e)
		return;
	e->generation = iot_each.generation;
	e->on = m->on;
	e->name = m->win;
	iot_mpi_table_publish(e, key);
}

static struct entry *find(MPI_Win win)
{
	struct entry *e = iot_mpi_table_find(&windows, iot_mpi_key((uintptr_t)win));

	return e && e->generation == iot_each.generation ? e : NULL;
}

static void set(struct iot_mpi *m, const struct entry *e)
{
	iot_mpi_set_comm(m, e->on);
	m->win = e->name;
}

void iot_mpi_on_win(struct iot_mpi *m, MPI_Win win)
{
	struct entry *e = m->valid ? find(win) : NULL;

	if (e)
		set(m, e);
}

/* Before MPI frees it, which may turn it down. */
void iot_mpi_win_goes(struct iot_mpi *m, const MPI_Win *win)
{
	struct entry *e = NULL;
	MPI_Win was;

	if (iot_mpi_fetch(&was, win, sizeof(was)))
		e = find(was);
	if (!e)
		return;
	set(m, e);
	iot_mpi_table_publish(e, 0);
}

const char *iot_mpi_lock_name(int lock)
{
	return lock == MPI_LOCK_SHARED ? "shared" : lock == MPI_LOCK_EXCLUSIVE ? "exclusive" : NULL;
}

/* What the program says that it has not done, or will not do. */
const char *iot_mpi_assertion(struct iot_mpi *m, int assertion)
{
	static const struct {
		int bit;
		const char *name;
	} all[] = {
		{ MPI_MODE_NOCHECK, "NOCHECK" },	 { MPI_MODE_NOSTORE, "NOSTORE" },
		{ MPI_MODE_NOPUT, "NOPUT" },		 { MPI_MODE_NOPRECEDE, "NOPRECEDE" },
		{ MPI_MODE_NOSUCCEED, "NOSUCCEED" },
	};
	struct iot_text x = { .buf = m->assertion, .cap = sizeof(m->assertion) - 1 };

	if (!assertion)
		return NULL;
	for (unsigned i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (!(assertion & all[i].bit))
			continue;
		iot_puts(&x, x.len ? "|" : "");
		iot_puts(&x, all[i].name);
	}
	x.buf[x.len] = 0;
	return m->assertion;
}
