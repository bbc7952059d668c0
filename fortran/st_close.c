/* SPDX-License-Identifier: BSD-3-Clause */
/* st_close.c - CLOSE. */
#include "gfortran.h"
#include "desc_CLOSE.h"

extern void real(void *) __asm__("__real__gfortran_st_close");
void wrap(struct iot_f_close *) __asm__("__wrap__gfortran_st_close");

static void record(struct iot_call *c, const void *params)
{
	const struct iot_f_close *p = params;
	char status[16];
	uint64_t words[] = { 0, (uint64_t)p->common.unit,
			     (uintptr_t)iot_f_text(status, sizeof(status), p->status, p->status_len,
						   p->common.flags & IOT_F_CLOSE_STATUS), 0 };

	iot_f_leave(c, &p->common, words);
}

void wrap(struct iot_f_close *p)
{
	struct iot_call c IOT_CLEANUP;
	int fd = iot_f_fd(p->common.unit);

	iot_f_forget(p->common.unit);
	/* a transfer opens it anew */
	iot_f_stands(p->common.unit, 0);
	if (!iot_f_enter(&c, &IOT_DESC_NAME(CLOSE), &p->common, fd, __builtin_frame_address(0))) {
		real(p);
		return;
	}
	iot_f_call(real, p, &c, record);
	record(&c, p);
}
IOT_EXPORT(_gfortran_st_close)
