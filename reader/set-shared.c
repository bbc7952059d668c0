/* SPDX-License-Identifier: BSD-3-Clause */
/* set-shared.c - what logs that are read together have in common, and is kept once. */
#include "config.h"

#include <stdlib.h>

#include "define.h"
#include "schema.h"

struct iotr_shared *iotr_shared_use(struct iotr_shared *shared)
{
	if (!shared)
		shared = iotr_alloc(sizeof(*shared));
	shared->users++;
	return shared;
}

void iotr_shared_drop(struct iotr_shared *shared)
{
	if (!shared || --shared->users)
		return;
	iotr_calls_free(shared);
	iotr_modules_free(shared);
	iotr_arena_free(&shared->arena);
	free(shared);
}
