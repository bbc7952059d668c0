/* SPDX-License-Identifier: BSD-3-Clause */
/* shared.c - what logs that are read together have in common, and is kept once. */
#include "config.h"

#include <stdlib.h>

#include "read.h"

struct iot_shared *iot_shared_use(struct iot_shared *shared)
{
	if (!shared)
		shared = iot_alloc(sizeof(*shared));
	shared->users++;
	return shared;
}

void iot_shared_drop(struct iot_shared *shared)
{
	if (!shared || --shared->users)
		return;
	iot_calls_free(shared);
	iot_modules_free(shared);
	iot_arena_free(&shared->arena);
	free(shared);
}
