/* SPDX-License-Identifier: BSD-3-Clause */
/* st_wait_async.c - WAIT. */
#include <limits.h>

#include "gfortran.h"
#include "desc_WAIT.h"

extern void real(void *) __asm__("__real__gfortran_st_wait_async");
void wrap(struct iot_f_wait *) __asm__("__wrap__gfortran_st_wait_async");

static void record(struct iot_call *c, const void *params)
{
	const struct iot_f_wait *p = params;
	uint64_t words[4] = { 0, (uint64_t)p->common.unit };
	int32_t id;

	/* the runtime looks at that of an asynchronous unit alone */
	if (!(p->common.flags & IOT_F_WAIT_ID) || !iot_fetch(&id, p->id, sizeof(id)))
		id = INT_MIN;
	words[2] = (uint64_t)(long)id;
	iot_f_leave(c, &p->common, words);
}

void wrap(struct iot_f_wait *p)
{
	iot_f_simple(real, &IOT_DESC_NAME(WAIT), p, record, __builtin_frame_address(0));
}
IOT_EXPORT(_gfortran_st_wait_async)
