/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * uring-quiet.c - requests to an io_uring that are told of failure alone (IOSQE_CQE_SKIP_SUCCESS).
 * A ring keeps the last ones: a completion with the name of one of them says that it failed.
 */
#include "uring.h"

#include "arena.h"
#include "uring-ring.h"

enum iot_quiet_state { FREE, CLAIMED, STANDS };

static uint64_t quiet(uint64_t n, enum iot_quiet_state is)
{
	return n << 2 | is;
}

void iot_uring_quiet(struct iot_ring *r, const struct iot_operation *op)
{
	struct iot_quiet *q = iot_map_once(&r->quiet, sizeof(*q));
	uint64_t n = q ? __atomic_add_fetch(&q->came, 1, __ATOMIC_RELAXED) : 0, is;
	struct iot_quiet_place *p;

	if (!q)
		return;
	p = &q->place[n % IOT_QUIET];
	is = __atomic_load_n(&p->state, __ATOMIC_ACQUIRE);
	/* the one that was there has succeeded, it seems */
	if ((is & 3) == CLAIMED || !iot_operation_swap(&p->state, is, quiet(n, CLAIMED)))
		return;
	iot_operation_copy(&p->op, op);
	__atomic_store_n(&p->state, quiet(n, STANDS), __ATOMIC_RELEASE);
}

bool iot_uring_take_quiet(struct iot_ring *r, uintptr_t name, struct iot_operation *op)
{
	struct iot_quiet *q = __atomic_load_n(&r->quiet, __ATOMIC_ACQUIRE);
	uint64_t came = q ? __atomic_load_n(&q->came, __ATOMIC_ACQUIRE) : 0;

	for (uint64_t n = came > IOT_QUIET ? came - IOT_QUIET + 1 : 1; n <= came; n++) {
		struct iot_quiet_place *p = &q->place[n % IOT_QUIET];

		if (__atomic_load_n(&p->state, __ATOMIC_ACQUIRE) != quiet(n, STANDS) || p->op.name != name ||
		    !iot_operation_swap(&p->state, quiet(n, STANDS), quiet(n, CLAIMED)))
			continue;
		iot_operation_copy(op, &p->op);
		__atomic_store_n(&p->state, quiet(n, FREE), __ATOMIC_RELEASE);
		return true;
	}
	return false;
}
