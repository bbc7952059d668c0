/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.c - every call with what is made of it, for who keeps them all. */
#include "config.h"

#include "internal.h"

void iota_watch(struct iota *a, iota_watch_fn *fn, void *arg)
{
	a->watch = fn;
	a->watch_arg = arg;
}

struct iota_rows iota_rows_of(struct iota *a, const struct iota_sample *s)
{
	struct iota_rows rows = {
		.call = iota_call_row(a, s->kind, s->call),
		.process = a->thread.process,
		.thread = a->thread.thread,
		.file = iota_file_of(a, s->call),
	};

	if (s->does == IOTA_DOES_COPY)
		rows.to = iota_copied_to(a, s->call);
	if (rows.file == a->no_file)
		rows.file = NULL;
	if (!rows.file && s->kind->of_memory)
		rows.memory = a->memory_row;
	return rows;
}
