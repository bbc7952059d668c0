/* SPDX-License-Identifier: BSD-3-Clause */
/* st_inquire.c - INQUIRE, by unit or by file. */
#include <limits.h>

#include "gfortran.h"
#include "desc_INQUIRE.h"

extern void real(void *) __asm__("__real__gfortran_st_inquire");
void wrap(struct iot_f_inquire *) __asm__("__wrap__gfortran_st_inquire");

static void record(struct iot_call *c, const void *params)
{
	const struct iot_f_inquire *p = params;
	bool by_file = p->common.flags & IOT_F_INQUIRE_FILE;
	char file[4096];
	uint64_t words[] = { 0, by_file ? (uint64_t)(long)INT_MIN : (uint64_t)p->common.unit,
			     (uintptr_t)iot_f_text(file, sizeof(file), p->file, p->file_len, by_file), 0 };

	iot_f_leave(c, &p->common, words);
}

void wrap(struct iot_f_inquire *p)
{
	struct iot_call c IOT_CLEANUP;

	if (!iot_f_enter(&c, &IOT_DESC_NAME(INQUIRE), &p->common,
			 p->common.flags & IOT_F_INQUIRE_FILE ? -1 : iot_f_fd(p->common.unit),
			 __builtin_frame_address(0))) {
		real(p);
		return;
	}
	iot_f_call(real, p, &c, record);
	record(&c, p);
}
IOT_EXPORT(_gfortran_st_inquire)
